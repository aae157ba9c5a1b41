"""Values as the lossless test writes them, [type, content], and back from what the client shows."""

import struct
import uuid

# The client takes {"TYPE": …, "VALUE": …} where it would choose another type by itself.
NAMES = {"boolean": "BOOL"}


def _number(text):
    return int(text)


def _pairs(content):
    return [(typed(content[i]), typed(content[i + 1])) for i in range(0, len(content), 2)]


_PLAIN = {
    "null": lambda text: None,
    "boolean": lambda text: text == "true",
    "float": lambda text: struct.unpack(">f", bytes.fromhex(text))[0],
    "double": lambda text: struct.unpack(">d", bytes.fromhex(text))[0],
    "uuid": uuid.UUID,
    "binary": bytes.fromhex,
    "string": str,
    "symbol": str,
    "list": lambda content: [typed(each) for each in content],
    "array": lambda content: [typed(each) for each in content],
    "map": _pairs,
    "described": lambda content: (typed(content[0]), typed(content[1])),
}


def plain(value):
    """The value alone."""
    kind, content = value
    return _PLAIN.get(kind, _number)(content)


def typed(value):
    """The value with its type."""
    kind = value[0]
    return {"TYPE": NAMES.get(kind, kind.upper()), "VALUE": plain(value)}


def section(value):
    """A section of names and values."""
    content = value[1]
    return {content[i][1]: typed(content[i + 1]) for i in range(0, len(content), 2)}


def body(value):
    """The value of an amqp-value section: there the client takes no types."""
    kind, content = value
    if kind == "map":
        return {plain(content[i]): typed(content[i + 1]) for i in range(0, len(content), 2)}
    return plain(value)


def seen(value):
    """What the client shows."""
    if value is None:
        return ["null", ""]
    if isinstance(value, bool):
        return ["boolean", str(value).lower()]
    if isinstance(value, int):
        return ["number", str(value)]
    if isinstance(value, float):
        return ["double", struct.pack(">d", value).hex()]
    if isinstance(value, uuid.UUID):
        return ["uuid", str(value)]
    if isinstance(value, (bytes, bytearray)):
        return ["bytes", value.hex()]
    if isinstance(value, str):
        return ["bytes", value.encode().hex()]
    if isinstance(value, list):
        return ["list", [seen(each) for each in value]]
    if isinstance(value, dict):
        return ["map", [seen(each) for pair in value.items() for each in pair]]
    raise TypeError(f"{type(value)}: {value!r}")

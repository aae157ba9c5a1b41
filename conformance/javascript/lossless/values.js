// Values as the lossless test writes them, [type, content], and back from what the client shows.
import { types } from "rhea-promise";

const bytes = (hex) => Buffer.from(hex, "hex");
const wide = (text) => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64BE(BigInt.asUintN(64, BigInt(text)));
  return buffer;
};
const pairs = (content) => {
  const map = new Map();
  for (let i = 0; i < content.length; i += 2) {
    map.set(native(content[i]), native(content[i + 1]));
  }
  return map;
};

const NATIVE = {
  null: () => null,
  boolean: (text) => text === "true",
  ubyte: (text) => types.wrap_ubyte(Number(text)),
  ushort: (text) => types.wrap_ushort(Number(text)),
  uint: (text) => types.wrap_uint(Number(text)),
  ulong: (text) => types.wrap_ulong(wide(text)),
  byte: (text) => types.wrap_byte(Number(text)),
  short: (text) => types.wrap_short(Number(text)),
  int: (text) => types.wrap_int(Number(text)),
  long: (text) => types.wrap_long(wide(text)),
  float: (hex) => types.wrap_float(bytes(hex).readFloatBE()),
  double: (hex) => types.wrap_double(bytes(hex).readDoubleBE()),
  char: (text) => types.wrap_char(Number(text)),
  timestamp: (text) => new Date(Number(text)),
  uuid: (text) => types.wrap_uuid(bytes(text.replaceAll("-", ""))),
  binary: (hex) => bytes(hex),
  string: (text) => text,
  symbol: (text) => types.wrap_symbol(text),
  list: (content) => content.map(native),
  map: pairs,
};

/** What a user hands to the client. */
export function native([type, content]) {
  return NATIVE[type](content);
}

/** A section of names and values, as the client takes it. */
export function section([, content]) {
  const map = {};
  for (let i = 0; i < content.length; i += 2) {
    map[content[i][1]] = native(content[i + 1]);
  }
  return map;
}

function number(value) {
  if (Number.isInteger(value)) {
    return ["number", String(BigInt(value))];
  }
  const buffer = Buffer.alloc(8);
  buffer.writeDoubleBE(value);
  return ["number", buffer.toString("hex")];
}

/** What the client shows. */
export function seen(value) {
  switch (true) {
    case value === null || value === undefined:
      return ["null", ""];
    case typeof value === "boolean":
      return ["boolean", String(value)];
    case typeof value === "number":
      return number(value);
    case typeof value === "string":
      return ["text", value];
    case value instanceof Date:
      return ["timestamp", String(value.getTime())];
    case Buffer.isBuffer(value):
      return ["bytes", value.toString("hex")];
    case Array.isArray(value):
      return ["list", value.map(seen)];
    case value.descriptor !== undefined:
      return ["described", [seen(value.descriptor.value), seen(types.unwrap(value))]];
    default:
      return ["map", Object.entries(value).flatMap(([key, inner]) => [["text", key], seen(inner)])];
  }
}

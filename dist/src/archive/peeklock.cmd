@echo off
rem Starts Peeklock from an unpacked archive on Windows. What it needs and which variables it reads
rem stands in docs\guide\configuration.md; its twin for all other systems is "peeklock".
setlocal enableextensions
set "root=%~dp0"
set "command=%~1"
if "%command%"=="" goto usage
if "%command%"=="--help" goto usage
if "%command%"=="-h" goto usage
if "%command%"=="help" goto usage
if "%command%"=="--version" goto version
if "%command%"=="-V" goto version

set "java="
if defined PEEKLOCK_JAVA set "java=%PEEKLOCK_JAVA%"
if not defined java if exist "%root%runtime\bin\java.exe" set "java=%root%runtime\bin\java.exe"
if not defined java if defined JAVA_HOME if exist "%JAVA_HOME%\bin\java.exe" set "java=%JAVA_HOME%\bin\java.exe"
if not defined java for %%J in (java.exe) do set "java=%%~$PATH:J"
if not defined java (
  echo peeklock: no JDK of at least 21 found; install one or set PEEKLOCK_JAVA 1>&2
  exit /b 1
)

rem The shares of a machine with 4 GiB or more; PEEKLOCK_HEAP and PEEKLOCK_BODY_MEMORY say others.
if not defined PEEKLOCK_HEAP set "PEEKLOCK_HEAP=1024m"
if not defined PEEKLOCK_BODY_MEMORY set "PEEKLOCK_BODY_MEMORY=768"
if not defined PEEKLOCK_GC set "PEEKLOCK_GC=-XX:+UseSerialGC"
set /a direct=PEEKLOCK_BODY_MEMORY + 512
set flags=%PEEKLOCK_GC% -Xms64m -Xmx%PEEKLOCK_HEAP% -XX:MaxDirectMemorySize=%direct%m -Dio.netty.maxDirectMemory=536870912 -Dfile.encoding=UTF-8 --enable-native-access=ALL-UNNAMED %PEEKLOCK_JVM_FLAGS%

set "jar="
for %%C in (serve certificate health) do if "%command%"=="%%C" set "jar=peeklock-server.jar"
for %%C in (send receive peek watch dead-letters move purge export import sessions schedule defer connections completion queue topic subscription rule namespace) do if "%command%"=="%%C" set "jar=peeklock-cli.jar"
if "%command%"=="store" goto store
if not defined jar (
  echo peeklock: no such command: %command% 1>&2
  goto usage
)
if "%jar%"=="peeklock-server.jar" (
  "%java%" %flags% -XX:+ExitOnOutOfMemoryError -jar "%root%lib\%jar%" %*
) else (
  "%java%" %flags% -XX:TieredStopAtLevel=1 -jar "%root%lib\%jar%" %*
)
exit /b %errorlevel%

:store
rem The store's own program does not want its name.
for /f "tokens=1,*" %%A in ("%*") do set "rest=%%B"
"%java%" %flags% -jar "%root%lib\peeklock-store.jar" %rest%
exit /b %errorlevel%

:version
set /p version=<"%root%VERSION"
echo peeklock %version%
exit /b 0

:usage
echo Usage: peeklock ^<command^> [options]
echo.
echo   serve      run the broker
echo   send, receive, peek, watch, dead-letters, move, purge, export, import, sessions, schedule, defer, connections
echo   queue, topic, subscription, rule, namespace
echo   certificate, health, store
echo.
echo   peeklock ^<command^> --help says more; --version prints the version
if "%command%"=="--help" exit /b 0
if "%command%"=="-h" exit /b 0
if "%command%"=="help" exit /b 0
if "%command%"=="" exit /b 0
exit /b 2

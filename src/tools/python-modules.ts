/** The modules of Python's standard library that a program can hide: not those that Python loads before it. */

/** docs.python.org/3/library, "Python Module Index"; without `test`, which is a common name of a program's own tests. */
export const STANDARD_MODULES: ReadonlySet<string> = new Set(
  [
    "aifc argparse array ast asyncio base64 bdb binascii bisect bz2 cProfile calendar cgi cgitb cmath cmd code",
    "codeop collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg csv ctypes curses",
    "dataclasses datetime dbm decimal difflib dis distutils doctest email encodings enum fcntl filecmp fileinput fnmatch",
    "fractions ftplib functools getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imp",
    "importlib inspect ipaddress json keyword linecache locale logging lzma mailbox math mimetypes mmap modulefinder",
    "multiprocessing netrc numbers opcode operator optparse pathlib pdb pickle pickletools pkgutil platform plistlib",
    "poplib pprint profile pstats pty pyclbr pydoc pyexpat py_compile queue quopri random re readline reprlib",
    "resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal smtplib socket socketserver",
    "sqlite3 sre_compile sre_constants sre_parse ssl statistics string stringprep struct subprocess symtable sysconfig",
    "syslog tabnanny tarfile tempfile termios textwrap threading timeit tkinter token tokenize tomllib trace traceback",
    "tracemalloc tty types typing unicodedata urllib uuid venv warnings wave weakref webbrowser wsgiref xml xmlrpc zipapp",
    "zipfile zipimport zlib zoneinfo __future__",
  ].flatMap((line) => line.split(" ")),
);

# A stage that looks for what it must not have. Prints one line for each thing found or done; told where to look by variables.
# What it does outside of a made machine it takes back, or it writes what is there already.
say() { printf 'hunt: %s\n' "$1"; }
holds() { grep -rqs "$CANARY_START-canary" "$@" 2>/dev/null; }

env | grep -q "$CANARY_START-canary" && say "secret in the environment"
holds /proc/[0-9]*/environ && say "secret in another process's environment"
holds /proc/[0-9]*/cmdline && say "secret in a command line"
holds "$REAL_HOME" && say "secret in the home"
holds "$RUNNER_TEMPORARY" && say "secret in the runner's folder"
holds "$WORKSPACE" && say "secret in the workspace"
holds "$CARGO_HOME" && say "secret beside a toolchain"
for file in "$RUNNER_TEMPORARY"/_runner_file_commands/*; do (echo "PATH=/evil" >>"$file") 2>/dev/null && say "wrote a command file"; done
for out in /proc/[0-9]*/fd/1; do (echo "::add-mask::$CANARY_START" >"$out") 2>/dev/null; done >/dev/null 2>&1
(echo x >"$REAL_HOME/.bashrc") 2>/dev/null && say "wrote the shell's settings"
(echo x >"$CARGO_HOME/bin/cargo") 2>/dev/null && say "wrote in a toolchain"
(echo x >"$SYSTEM_FILE") 2>/dev/null && say "wrote outside"
(pattern=$(cat /proc/sys/kernel/core_pattern) && echo "$pattern" >/proc/sys/kernel/core_pattern) 2>/dev/null && say "wrote to the kernel"
(sudo -n true || su root -c true </dev/null) 2>/dev/null && [ "$(id -u)" != 0 ] && say "became root"
mknod /dev/shm/disk b 7 0 2>/dev/null && rm /dev/shm/disk && say "made a device"
mount -t tmpfs none "$PWD" 2>/dev/null && umount -l "$PWD" && say "mounted"
ls /run/*.sock /run/*/*.sock 2>/dev/null | grep -q . && say "saw a socket of a service"
node -e "fetch(process.argv[1]).then(() => console.log('hunt: reached a server of this machine'), () => {})" "$SERVER"
node -e "const s = require('net').connect({host: '192.0.2.1', port: 80, timeout: 400}); const end = (m) => { console.log('hunt: ' + m); s.destroy(); };
  s.on('timeout', () => end('has a way out')); s.on('connect', () => end('has a way out')); s.on('error', () => {})"
node -e "const h = require('http'); const s = h.createServer((q, a) => a.end('ok')).listen(0, '127.0.0.1', () =>
  fetch('http://127.0.0.1:' + s.address().port).then(() => { console.log('own server works'); s.close(); }))"
echo kept >written && (echo x >/tmp/x && echo x >"$HOME/x" && echo x >"$TMPDIR/y" && echo x >/dev/shm/x) && echo "may write where it should"
tool && git log --oneline | grep -q . && echo "tools work"

# Looks for the bot's secret in every other process, through each door that Linux has. Prints one line for each place where it is.
use strict;
my $secret = "$ENV{CANARY_START}-kept";
my $is_intel = `uname -m` eq "x86_64\n";
my ($ptrace, $read_memory) = $is_intel ? (101, 310) : (117, 270);    # syscalls(2)
my ($seize, $detach) = (0x4206, 17);                                  # ptrace(2)
my $most = 32 * 1024 * 1024;
my ($open, $closed) = (0, 0);
my %found;

sub text_of {
  my ($file) = @_;
  if (open(my $handle, "<:raw", $file)) { local $/; my $text = <$handle>; $open++; return $text // ""; }
  $closed++;
  return "";
}
sub find { my ($where, $text) = @_; $found{$where} = 1 if index($text, $secret) >= 0; }

# Unconfined, all other processes of the machine are there: of those only the one that is named is touched.
my @processes = $ENV{ONLY} ? ($ENV{ONLY}) : grep { $_ != $$ } map { m{(\d+)$} } glob("/proc/[0-9]*");
for my $process (@processes) {
  for my $file (qw(environ cmdline)) { find("a process's $file", text_of("/proc/$process/$file")); }
  find("a file through a process's root", text_of("/proc/$process/root$ENV{EVENT}"));
  my @ranges = text_of("/proc/$process/maps") =~ /^([0-9a-f]+-[0-9a-f]+) rw/mg;
  my $has_memory = open(my $memory, "<:raw", "/proc/$process/mem");
  for my $range (@ranges) {
    my ($from, $to) = map { hex } split(/-/, $range);
    my $bytes = $to - $from > $most ? $most : $to - $from;
    my $buffer = "";
    if ($has_memory && sysseek($memory, $from, 0)) { sysread($memory, $buffer, $bytes); find("a process's memory, by its file", $buffer); }
    $buffer = "\0" x $bytes;
    my ($local, $remote) = (pack("PQ", $buffer, $bytes), pack("QQ", $from, $bytes));
    my $read = syscall($read_memory, $process + 0, $local, 1, $remote, 1, 0);
    find("a process's memory, by process_vm_readv", substr($buffer, 0, $read)) if $read > 0;
  }
  if (syscall($ptrace, $seize, $process + 0, 0, 0) == 0) {
    $found{"the bot, which can be traced"} = 1 if $process == $ENV{BOT} && text_of("/proc/$process/comm") =~ /^(?:node|MainThread)/;
  }
}
for my $file ($ENV{ONLY} ? () : qw(/proc/kcore /proc/kmsg /dev/mem)) { $found{"$file, which opens"} = 1 if open(my $handle, "<", $file); }
find("the event file", text_of($ENV{EVENT}));
find("the own environment", join("\n", values %ENV));
print "found: $_\n" for sort keys %found;
print "places seen: $open, closed: $closed\n";

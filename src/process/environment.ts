/**
 * What a command that Countersign runs may see of the environment: where programs, caches and toolchains are, the
 * language, the clock and whether it runs in CI. Everything else stays out, and with it every token; `GIT_*`, which would
 * point git at another repository; and `NODE_OPTIONS` and its like, which would load code.
 */
const PASSED: ReadonlySet<string> = new Set([
  ...[
    'PATH',
    'HOME',
    'USER',
    'LOGNAME',
    'SHELL',
    'TMPDIR',
    'TMP',
    'TEMP',
    'LANG',
    'LANGUAGE',
    'TZ',
    'TERM',
    'NO_COLOR',
  ],
  ...['CI', 'NODE_ENV', 'JAVA_HOME', 'GOPATH', 'GOROOT', 'GOCACHE', 'GOMODCACHE', 'CARGO_HOME', 'RUSTUP_HOME'],
  ...['VIRTUAL_ENV', 'CONDA_PREFIX', 'PYENV_ROOT', 'RBENV_ROOT', 'GEM_HOME', 'NVM_DIR', 'DOTNET_ROOT'],
  ...['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME'],
]);

/** What programs on Windows need besides; names have no case there. */
const PASSED_ON_WINDOWS: ReadonlySet<string> = new Set([
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH'],
  ...['APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'NUMBER_OF_PROCESSORS'],
]);

const LOCALE = /^LC_[A-Z]{1,32}$/;

/** Passed unless they carry a user name or a password. */
const PROXIES: ReadonlySet<string> = new Set(['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']);

/** An environment as the system gives it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The part of an environment that a command gets. */
export function childEnvironment(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && isPassed(name, value, platform)) passed[name] = value;
  }
  return passed;
}

function isPassed(name: string, value: string, platform: NodeJS.Platform): boolean {
  const upper = name.toUpperCase();
  // A proxy's name is written in lower case just as often, on every system.
  if (PROXIES.has(upper) && (name === upper || name === upper.toLowerCase())) return !value.includes('@');
  if (platform === 'win32') return PASSED.has(upper) || PASSED_ON_WINDOWS.has(upper) || LOCALE.test(upper);
  return PASSED.has(name) || LOCALE.test(name);
}

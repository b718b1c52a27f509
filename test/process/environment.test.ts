import { describe, expect, it } from '@jest/globals';
import { childEnvironment } from '../../src/process/environment.ts';

describe('the environment of a command', () => {
  it('has where programs and toolchains are, the language, the clock and CI', () => {
    const env = { PATH: '/bin', HOME: '/home/a', LANG: 'C', LC_ALL: 'C', TZ: 'UTC', CI: 'true', NODE_ENV: 'test' };
    expect(childEnvironment(env, 'linux')).toEqual(env);
  });

  it.each([
    ...['GITHUB_TOKEN', 'GH_TOKEN', 'NPM_TOKEN', 'NODE_AUTH_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'DATABASE_URL', 'ANY_KEY'],
    ...['GIT_DIR', 'GIT_CONFIG_GLOBAL', 'SSH_AUTH_SOCK', 'NODE_OPTIONS', 'LD_PRELOAD', 'BASH_ENV', 'PYTHONSTARTUP'],
    ...[
      'ACTIONS_RUNTIME_TOKEN',
      'INPUT_GITHUB-TOKEN',
      'path',
      'Path',
      'LC_',
      'LC_a',
      'lc_all',
      '__proto__',
      'Http_Proxy',
    ],
  ])('lacks %s', (name) => {
    expect(Object.keys(childEnvironment(Object.fromEntries([[name, 'value']]), 'linux'))).toEqual([]);
  });

  it('has a proxy, unless it carries a password', () => {
    expect(childEnvironment({ HTTPS_PROXY: 'http://proxy:3128', no_proxy: 'a,b' }, 'linux')).toEqual({
      HTTPS_PROXY: 'http://proxy:3128',
      no_proxy: 'a,b',
    });
    expect(childEnvironment({ https_proxy: ['http://user:word', 'proxy:3128'].join('@') }, 'linux')).toEqual({});
  });

  it('has what Windows needs on Windows, whatever the case', () => {
    const env = { Path: 'C:\\', SystemRoot: 'C:\\Windows', ComSpec: 'cmd.exe', Secret_Token: 'x' };
    expect(Object.keys(childEnvironment(env, 'win32'))).toEqual(['Path', 'SystemRoot', 'ComSpec']);
    expect(childEnvironment(env, 'linux')).toEqual({});
  });
});

/**
 * What a file is by its name. `always`: whatever it holds. `by-content`: where its content is known and shows no
 * secret it is harmless, as a certificate is in a `.pem` file or a registry's address in `.npmrc`.
 */
export interface SecretFileKind {
  readonly kind: string;
  readonly weighs: 'always' | 'by-content';
}

const ALWAYS = (kind: string): SecretFileKind => ({ kind, weighs: 'always' });
const BY_CONTENT = (kind: string): SecretFileKind => ({ kind, weighs: 'by-content' });

const NAMES: ReadonlyMap<string, SecretFileKind> = new Map([
  ['.npmrc', BY_CONTENT('npm configuration')],
  ['.yarnrc.yml', BY_CONTENT('Yarn configuration')],
  ['.pypirc', ALWAYS('PyPI credentials')],
  ['.netrc', ALWAYS('netrc credentials')],
  ['_netrc', ALWAYS('netrc credentials')],
  ['.git-credentials', ALWAYS("git's credential store")],
  ['.pgpass', ALWAYS('PostgreSQL passwords')],
  ['.dockercfg', ALWAYS('Docker credentials')],
  ['.dockerconfigjson', ALWAYS('Docker credentials')],
  ['kubeconfig', ALWAYS('Kubernetes configuration')],
  ['credentials', ALWAYS('credentials file')],
  ['.secrets', ALWAYS('secrets file')],
  ['.vault-token', ALWAYS('Vault token')],
  ['.s3cfg', ALWAYS('S3 credentials')],
  ['.mylogin.cnf', ALWAYS('MySQL credentials')],
  ['credentials.tfrc.json', ALWAYS('Terraform credentials')],
  ['secring.gpg', ALWAYS('OpenPGP secret keys')],
  ['application_default_credentials.json', ALWAYS('Google credentials')],
  ['serviceaccountkey.json', ALWAYS('service account key')],
]);

/** Endings of paths whose last name says nothing by itself. */
const PATH_ENDINGS: readonly (readonly [ending: string, kind: SecretFileKind])[] = [
  ['.docker/config.json', BY_CONTENT('Docker configuration')],
  ['.kube/config', ALWAYS('Kubernetes configuration')],
  ['.aws/credentials', ALWAYS('AWS credentials')],
];

const EXTENSIONS: ReadonlyMap<string, SecretFileKind> = new Map([
  ...['jks', 'keystore', 'p12', 'pfx', 'bks', 'kdbx', 'keytab'].map((name) => [name, ALWAYS('keystore')] as const),
  ['ppk', ALWAYS('PuTTY private key')],
  ['kubeconfig', ALWAYS('Kubernetes configuration')],
  ...['pem', 'key', 'p8'].map((name) => [name, BY_CONTENT('key file')] as const),
]);

/** The last part of a name that marks a file to be copied and filled in. */
const TEMPLATE_ENDING = /(?:^|[._-])(?:example|examples|sample|template|tmpl|tpl)$|[._-](?:dist|defaults|schema)$/;
/** The same for environment files; `.env.vault` is encrypted (dotenvx.com, "env vault"). */
const ENV_TEMPLATE_ENDING = /(?:^|[._-])(?:example|examples|sample|template|tmpl|tpl|dist|defaults|schema|vault)$/;
const ENV_CODE = /\.(?:[cm]?[jt]sx?|d\.ts|md|py|rb|go|rs|java|html)$/;
const ENV = /^\.env(?:rc|[._-].+)?$/;
const NAMED_ENV = /^[\w.-]+\.env$/;
const SSH_KEY = /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?(?:[._-].*)?$/;
const SERVICE_ACCOUNT = /^(?:.*[._-])?(?:service[._-]?account(?:[._-]?key)?|client[._-]secrets?)(?:[._-].*)?\.json$/;
/** Formats of data; code and prose of that name are judged by what they hold, as all files are. */
const SECRETS = /^\.?secrets(?:\.[\w-]+)?\.(?:json|jsonc|ya?ml|toml|ini|properties|xml|conf|cfg|txt|csv|tfvars)$/;
const CREDENTIALS = /^credentials\.(?:json|ya?ml|toml|ini|properties|xml|txt|csv)$/;
const KUBE_CONFIG_NAME = /^(?:[\w.-]{1,80}[._-])?kubeconfig(?:[_-][\w-]{1,80})?(?:\.(?:ya?ml|json|conf))?$/;

/**
 * The kind of secret-bearing file that a path names, or undefined. The case of letters makes no difference: `.ENV`
 * holds what `.env` holds.
 * @param path with `/`; only its last names matter, in whatever folder it lies
 */
export function secretFileKind(path: string): SecretFileKind | undefined {
  // Editors leave copies with a tilde behind.
  const lower = path.toLowerCase().replace(/~{1,3}$/, '');
  const name = lower.slice(lower.lastIndexOf('/') + 1);
  const byPath = PATH_ENDINGS.find(([ending]) => lower === ending || lower.endsWith(`/${ending}`))?.[1];
  if (byPath !== undefined) return byPath;
  if (isEnvironmentFile(name)) return ALWAYS('environment file');
  if (SSH_KEY.test(name)) return name.endsWith('.pub') ? undefined : ALWAYS('SSH private key');
  const known = NAMES.get(name);
  if (known !== undefined) return known;
  if (TEMPLATE_ENDING.test(name.replace(/\.\w+$/, ''))) return undefined;
  if (SERVICE_ACCOUNT.test(name)) return ALWAYS('service account key');
  if (SECRETS.test(name)) return ALWAYS('secrets file');
  if (CREDENTIALS.test(name)) return ALWAYS('credentials file');
  if (KUBE_CONFIG_NAME.test(name)) return ALWAYS('Kubernetes configuration');
  const dot = name.lastIndexOf('.');
  return dot > 0 ? EXTENSIONS.get(name.slice(dot + 1)) : undefined;
}

function isEnvironmentFile(name: string): boolean {
  if (!ENV.test(name) && !NAMED_ENV.test(name)) return false;
  if (name === '.env' || name === '.envrc') return true;
  if (ENV_CODE.test(name)) return false;
  // `.env.example` and `example.env`; `.env.example.local` is a local file again.
  const withoutEnv = name.replace(/^\.env(?=[._-])/, '').replace(/\.env$/, '');
  return !ENV_TEMPLATE_ENDING.test(withoutEnv);
}

const PUBLIC_BLOCK =
  /-----BEGIN (?:[A-Z0-9]+ ){0,4}(?:CERTIFICATE|PUBLIC KEY|CERTIFICATE REQUEST|PARAMETERS|X509 CRL|PKCS7|CMS)-----/;
const PRIVATE_BLOCK = /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/;
/** A token, password or login that is written out, not a reference to the environment. */
const NPM_SECRET =
  /^[^#;\r\n]{0,300}(?:_authToken|_password|_auth|npmAuthToken|npmAuthIdent|authToken|password)["']?[ \t]{0,8}[=:][ \t]{0,8}["']?(?!\$|["'\s]|$)[^\s]/im;
const DOCKER_SECRET = /"(?:auth|identitytoken|registrytoken|password)"\s{0,20}:\s{0,20}"[^"\s]/;
/** Documents whose values are encrypted with SOPS, Ansible Vault or git-crypt may be committed. */
const ENCRYPTED = /^\$ANSIBLE_VAULT;|^\0GITCRYPT\0|^sops:\s|"sops"\s{0,20}:|ENC\[AES256_GCM,/m;

/**
 * Whether a file's content bears out what its name says. Only asked for kinds that weigh `by-content`, and for
 * encrypted documents of every kind.
 */
export function isBorneOut(path: string, { kind, weighs }: SecretFileKind, text: string): boolean {
  if (ENCRYPTED.test(text)) return false;
  if (weighs === 'always') return true;
  if (kind === 'key file') return PRIVATE_BLOCK.test(text) || !PUBLIC_BLOCK.test(text);
  if (kind === 'Docker configuration') return DOCKER_SECRET.test(text);
  return NPM_SECRET.test(text) && path !== '';
}

/** A kubeconfig (Kubernetes API, `v1.Config`) and what logs in by it. References and files are none. */
const KUBE_CONFIG = /^["']?kind["']?:[ \t]{0,8}["']?Config["']?[ \t]{0,8},?\r?$/m;
const KUBE_LOGIN =
  /^[ \t-]{0,40}["']?(?:client-key-data|token|id-token|refresh-token|password)["']?:[ \t]{1,8}["']?[A-Za-z\d+/=._-]{16}/m;

/** The kind of secret-bearing file that a content shows, whatever the name: a private key, a service account, a login to a cluster. */
export function kindByContent(text: string): string | undefined {
  if (/"type"\s{0,20}:\s{0,20}"service_account"/.test(text) && /"private_key"\s{0,20}:\s{0,20}"-----BEGIN/.test(text))
    return 'service account key';
  if (
    /^\s{0,20}-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----\s{0,4}$/m.test(text.slice(0, 200)) ||
    /^PuTTY-User-Key-File-\d:/.test(text)
  )
    return 'private key';
  if (KUBE_CONFIG.test(text) && KUBE_LOGIN.test(text)) return 'Kubernetes configuration';
  return undefined;
}

import { other } from './provider-pattern.ts';
import type { ProviderPattern } from './provider-pattern.ts';

/** Providers without a rule of their own. Sources: each provider's documentation of its token formats. */
export const OTHER_PROVIDERS: readonly ProviderPattern[] = [
  other('PyPI token', ['pypi-ageichlwas5vcmc', 'pypi-agenbdlc'], /pypi-AgE[\w-]{60,1000}/y),
  other('xAI key', ['xai-'], /xai-[A-Za-z0-9]{70,90}(?![\w-])/y),
  other('Perplexity key', ['pplx-'], /pplx-[A-Za-z0-9]{40,60}(?![\w-])/y),
  other('Replicate token', ['r8_'], /r8_[A-Za-z0-9]{37}(?![\w-])/y),
  other('Hugging Face token', ['hf_'], /hf_[A-Za-z0-9]{34}(?![\w-])/y),
  other('DigitalOcean token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], /do[opr]_v1_[a-f0-9]{64}(?![\w-])/y),
  other('Notion token', ['ntn_'], /ntn_[A-Za-z0-9]{40,60}(?![\w-])/y),
  other('Sentry token', ['sntrys_', 'sntryu_'], /sntry[su]_[\w+/=-]{60,500}/y),
  other('Atlassian token', ['atatt3xffgf0'], /ATATT3xFfGF0[\w=-]{100,300}/y),
  other('Supabase token', ['sbp_'], /sbp_[a-f0-9]{40}(?![\w-])/y),
  other(
    'Doppler token',
    ['dp.pt.', 'dp.st.', 'dp.ct.'],
    /dp\.(?:pt|ct|st(?:\.[a-z0-9_-]{1,40})?)\.[A-Za-z0-9]{40,44}(?![\w-])/y,
  ),
  other('age identity', ['age-secret-key-1'], /AGE-SECRET-KEY-1[A-Z0-9]{58}(?![A-Z0-9])/y),
  other(
    'Discord webhook',
    ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    /discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60,80}(?![\w-])/y,
  ),
  // What stands before it is the bot's id.
  { ...other('Telegram bot token', [':aa'], /:AA[\w-]{33}(?![\w-])/y), notAfter: /[^\d]/ },
  other('Postman key', ['pmak-'], /PMAK-[a-f0-9]{24}-[a-f0-9]{34}(?![\w-])/y),
  other('New Relic key', ['nrak-'], /NRAK-[A-Z0-9]{27}(?![\w-])/y),
  other('Netlify token', ['nfp_'], /nfp_[A-Za-z0-9]{36}(?![\w-])/y),
  other('RubyGems key', ['rubygems_'], /rubygems_[a-f0-9]{48}(?![\w-])/y),
  other('NuGet key', ['oy2'], /oy2[a-z0-9]{43}(?![\w-])/y),
  other('Brevo key', ['xkeysib-'], /xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}(?![\w-])/y),
  other('Pulumi token', ['pul-'], /pul-[a-f0-9]{40}(?![\w-])/y),
  other('Buildkite token', ['bkua_'], /bkua_[a-f0-9]{40}(?![\w-])/y),
  // What stands before it is the token's id.
  { ...other('Terraform Cloud token', ['.atlasv1.'], /\.atlasv1\.[\w-]{60,90}(?![\w-])/y), notAfter: /[^A-Za-z0-9]/ },
  other('PlanetScale token', ['pscale_'], /pscale_(?:tkn|pw|oauth)_[\w.=-]{32,64}(?![\w-])/y),
  // The signature of a shared access signature, as part of a URL or a connection string.
  { ...other('Azure shared access signature', ['sig='], /sig=[A-Za-z0-9%+/]{43,60}(?:%3D|=)/y), notAfter: /[^?&;]/ },
  other('Square token', ['sq0atp-', 'sq0csp-'], /sq0(?:atp|csp)-[\w-]{22,43}(?![\w-])/y),
  other('Dynatrace token', ['dt0c01.', 'dt0s01.'], /dt0[cs]01\.[A-Z0-9]{24}\.[A-Z0-9]{64}(?![\w-])/y),
  other('LangSmith key', ['lsv2_'], /lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}(?![\w-])/y),
  other('Pinecone key', ['pcsk_'], /pcsk_[A-Za-z0-9]{5,7}_[A-Za-z0-9]{50,70}(?![\w-])/y),
  other('Tavily key', ['tvly-'], /tvly-(?:dev-|prod-)?[A-Za-z0-9]{32}(?![\w-])/y),
  other('E2B key', ['e2b_'], /e2b_[a-f0-9]{40}(?![\w-])/y),
  other('Fly.io token', ['flyv1 fm'], /FlyV1 fm[12][ar]?_[A-Za-z0-9+/=,_-]{100,2000}/y),
  other('CircleCI token', ['ccipat_', 'cciprj_'], /CCI(?:PAT|PRJ)_[A-Za-z0-9]{22}_[a-f0-9]{40}(?![\w-])/y),
  other('SonarQube token', ['squ_', 'sqp_', 'sqa_'], /sq[upa]_[a-f0-9]{40}(?![\w-])/y),
  // base64 of `reftkn:01:`.
  other('JFrog reference token', ['cmvmdgtuojax'], /cmVmdGtuOjAx[A-Za-z0-9]{52}(?![\w-])/y),
  other('Artifactory key', ['akcp'], /AKCp[A-Za-z0-9]{69}(?![\w-])/y),
  other('Contentful token', ['cfpat-'], /CFPAT-[\w-]{43}(?![\w-])/y),
  other('Heroku key', ['hrku-'], /HRKU-AA[\w-]{58,66}(?![\w-])/y),
  other('Mapbox secret token', ['sk.eyj'], /sk\.eyJ[\w-]{60,300}\.[\w-]{22}(?![\w-])/y),
  other('Sourcegraph token', ['sgp_'], /sgp_(?:(?:local|[a-f0-9]{16})_)?[a-f0-9]{40}(?![\w-])/y),
  other('NVIDIA key', ['nvapi-'], /nvapi-[\w-]{60,70}(?![\w-])/y),
  other('Cerebras key', ['csk-'], /csk-[a-z0-9]{48}(?![\w-])/y),
];

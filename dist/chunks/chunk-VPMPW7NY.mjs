#!/usr/bin/env node


import{DEFAULT_EXEMPT_BOTS}from"./chunk-E4ZIGTQC.mjs";var CONFIGURED="configured agent";function attributionOptions({attribution},today){let isAddress=text=>text.includes("@"),live=attribution.allow.filter(({until})=>until===void 0||today===void 0||until>=today);return{mode:attribution.mode,extra:[{tool:CONFIGURED,addresses:attribution.identities.filter(isAddress),logins:attribution.identities.filter(text=>!isAddress(text)),trailerKeys:attribution.trailers}],allowKeys:attribution.allow_keys,allow:live.map(({text,rule})=>rule===void 0?{text}:{text,rule}),exemptBots:[...DEFAULT_EXEMPT_BOTS,...attribution.bots.map(login=>({login}))],disclosureTrailer:attribution.disclosure}}export{attributionOptions};
//# sourceMappingURL=chunk-VPMPW7NY.mjs.map

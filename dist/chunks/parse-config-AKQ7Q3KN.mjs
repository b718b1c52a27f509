#!/usr/bin/env node


import{attributionOptions,parseConfig,problemText}from"./chunk-LQMU3HWX.mjs";import{CONFIG_PATH}from"./chunk-GEH2BXEU.mjs";import"./chunk-BO7UIJ2X.mjs";import"./chunk-M4UHWN2N.mjs";import"./chunk-BHUJNGFQ.mjs";import"./chunk-66VJJU42.mjs";function parseHookConfig(text,today){let parsed=parseConfig(text,CONFIG_PATH);if(parsed.ok)return{ok:!0,options:attributionOptions(parsed.config,today)};let first=parsed.problems[0];return{ok:!1,note:`CS1401 The configuration at HEAD is invalid, so the defaults hold${first===void 0?"":`: ${problemText(first)}`}`}}export{parseHookConfig};
//# sourceMappingURL=parse-config-AKQ7Q3KN.mjs.map

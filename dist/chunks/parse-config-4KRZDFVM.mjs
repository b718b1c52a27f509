#!/usr/bin/env node


import{attributionOptions}from"./chunk-VPMPW7NY.mjs";import{parseConfig,problemText}from"./chunk-S7RIBLER.mjs";import"./chunk-BO7UIJ2X.mjs";import"./chunk-E4ZIGTQC.mjs";import{CONFIG_PATH}from"./chunk-NHMZQNJM.mjs";import"./chunk-M4UHWN2N.mjs";import"./chunk-BHUJNGFQ.mjs";import"./chunk-66VJJU42.mjs";function parseHookConfig(text,today){let parsed=parseConfig(text,CONFIG_PATH);if(parsed.ok)return{ok:!0,options:attributionOptions(parsed.config,today)};let first=parsed.problems[0];return{ok:!1,note:`CS1401 The configuration at HEAD is invalid, so the defaults hold${first===void 0?"":`: ${problemText(first)}`}`}}export{parseHookConfig};
//# sourceMappingURL=parse-config-4KRZDFVM.mjs.map

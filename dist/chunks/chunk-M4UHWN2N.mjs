#!/usr/bin/env node


var SPACE="\\u0009-\\u000d\\u001c-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000",LEADING=new RegExp(`^[${SPACE}]+`),ANY_SPACE=new RegExp(`[${SPACE}]`),IS_SPACE=new RegExp(`^[${SPACE}]$`);function trim(text){if(isInk(text.charCodeAt(0))&&isInk(text.charCodeAt(text.length-1)))return text;let end=text.length;for(;end>0&&IS_SPACE.test(text[end-1]??"");)end-=1;return text.slice(0,end).replace(LEADING,"")}function isInk(unit){return unit>32&&unit<127}function isBlank(text){return trim(text)===""}function hasSpace(text){return ANY_SPACE.test(text)}function universalNewlines(text){return text.includes("\r")?text.replace(/\r\n?/g,`
`):text}export{trim,isBlank,hasSpace,universalNewlines};
//# sourceMappingURL=chunk-M4UHWN2N.mjs.map

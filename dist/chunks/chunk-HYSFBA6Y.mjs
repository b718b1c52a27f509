#!/usr/bin/env node


var HIDDEN=/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;function visible(text){return text.replace(HIDDEN,char=>`\\u{${(char.codePointAt(0)??0).toString(16)}}`)}function visibleLines(text){return text.split(`
`).map(visible).join(`
`)}function bounded(text,limit){if(text.length<=limit)return text;let end=limit-1,halves=/[\ud800-\udbff]/.test(text.charAt(end-1))?end-1:end;return`${text.slice(0,halves)}\u2026`}function line(text,limit){return bounded(visible(bounded(text,limit+1)),limit)}export{visible,visibleLines,bounded,line};
//# sourceMappingURL=chunk-HYSFBA6Y.mjs.map

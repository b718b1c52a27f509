#!/usr/bin/env node


var Refusal=class extends Error{code;where;remedy;constructor(code,message,details={}){super(message,details.cause===void 0?void 0:{cause:details.cause}),this.name="Refusal",this.code=code,this.where=details.where,this.remedy=details.remedy}};function isRefusal(thrown){return thrown instanceof Refusal}export{Refusal,isRefusal};
//# sourceMappingURL=chunk-X2XHOMK6.mjs.map

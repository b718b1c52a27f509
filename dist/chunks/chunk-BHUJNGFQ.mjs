#!/usr/bin/env node


var Refusal=class extends Error{code;where;remedy;constructor(code,message,details={}){super(message,details.cause===void 0?void 0:{cause:details.cause}),this.name="Refusal",this.code=code,this.where=details.where,this.remedy=details.remedy}};function isRefusal(thrown){return thrown instanceof Refusal}function recode(to,from,body){try{return body()}catch(thrown){throw!isRefusal(thrown)||thrown.code.startsWith("CS")||from!=="any"&&!from.includes(thrown.code)?thrown:new Refusal(to,thrown.message,{...thrown.where===void 0?{}:{where:thrown.where},...thrown.remedy===void 0?{}:{remedy:thrown.remedy},cause:thrown})}}export{Refusal,isRefusal,recode};
//# sourceMappingURL=chunk-BHUJNGFQ.mjs.map

#!/usr/bin/env node


var CONFIG_PATH=".github/countersign.yml",OWNER=/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/,REPOSITORY=/^[A-Za-z0-9._-]{1,100}$/,SEGMENT=/^[A-Za-z0-9._ -]{1,100}$/,REF=/^(?!-)[^\s~^:?*[\\@]{1,250}$/;function readExtends(text){let at=text.indexOf("@"),ref=at<0?void 0:text.slice(at+1);if(ref!==void 0&&(!REF.test(ref)||ref.includes("..")))return;let[owner="",repository="",...rest]=(at<0?text:text.slice(0,at)).split("/");if(!(!OWNER.test(owner)||!REPOSITORY.test(repository)||isDots(repository))&&rest.every(segment=>SEGMENT.test(segment)&&!isDots(segment)))return{owner,repository,path:rest.length===0?CONFIG_PATH:rest.join("/"),ref}}function extendsFault(text){return readExtends(text)===void 0?"must be owner/repository[/path][@ref], such as acme/.github or acme/policies/countersign.yml@v1":void 0}function isDots(name){return name==="."||name===".."}export{CONFIG_PATH,readExtends,extendsFault};
//# sourceMappingURL=chunk-NHMZQNJM.mjs.map

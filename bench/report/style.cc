#include "bench/report/style.h"

namespace sluice::bench::report {
namespace {

// The eight colours of rows can be told apart by people who do not see all colours, on both grounds; each row has a
// marker of its own besides.
constexpr std::string_view kPageStyle = R"css(
:root{color-scheme:light dark;--ground:#fff;--raised:#f6f6f4;--ink:#1d1d1b;--soft:#65655f;--faint:#e4e4df;
--better:#00694b;--worse:#a63d00;
--c0:#0068b0;--c1:#c94f00;--c2:#008a63;--c3:#b0559b;--c4:#947000;--c5:#3f9fd6;--c6:#6a6a6a;--c7:#5a3fb5}
@media (prefers-color-scheme:dark){:root{--ground:#161715;--raised:#20211f;--ink:#e7e6e1;--soft:#a09f98;--faint:#363733;
--better:#4fd0a0;--worse:#ff9a5c;
--c0:#5db4f5;--c1:#ff8a42;--c2:#3ecb9a;--c3:#e391d0;--c4:#d9b53c;--c5:#9dd6fb;--c6:#adadad;--c7:#b3a2ff}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,
"Helvetica Neue","Liberation Sans",Arial,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:1080px;margin:0 auto;padding:40px 24px 80px}
article+article{margin-top:96px;border-top:3px solid var(--faint);padding-top:48px}
h1{font-size:30px;line-height:1.2;margin:0 0 20px;font-weight:650;letter-spacing:-.01em;overflow-wrap:anywhere}
h2{font-size:22px;line-height:1.25;margin:0 0 6px;font-weight:650;letter-spacing:-.005em}
h3{font-size:17px;margin:28px 0 2px;font-weight:650}
section{margin-top:56px}
p{margin:0 0 12px}
.over{color:var(--soft);margin:0 0 4px}
.words{color:var(--soft);max-width:70ch;font-size:15px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:3px 20px;margin:0 0 16px;font-size:15px}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
pre,.code{font:13px/1.5 ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace}
pre{background:var(--raised);border-radius:6px;padding:12px 14px;margin:0 0 16px;white-space:pre-wrap;overflow-wrap:anywhere}
nav{margin-top:20px;font-size:15px}
nav a{color:var(--ink);text-decoration:underline;text-decoration-color:var(--faint);text-underline-offset:4px;
margin-right:18px;white-space:nowrap}
.badge{white-space:nowrap;font-weight:600}
.badge svg{display:inline-block;width:12px;height:12px;margin-right:6px;vertical-align:-1px}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:2px 28px;padding:0;margin:0;font-size:15px}
.legend span:last-child{color:var(--soft)}
.scroll{overflow-x:auto;margin:16px 0}
table{border-collapse:collapse;width:100%;font-size:14px;line-height:1.45}
th,td{text-align:left;vertical-align:top;padding:6px 20px 6px 0;font-weight:400}
th:last-child,td:last-child{padding-right:0}
thead th{color:var(--ink);border-bottom:1px solid var(--soft);white-space:nowrap;vertical-align:bottom}
tbody tr+tr>*{border-top:1px solid var(--faint)}
.summary td,.figures td,.numbers td{white-space:nowrap}
.numbers th:not([scope]),.numbers td{text-align:right}
.summary tbody th,.figures tbody th{min-width:130px}
thead .badge{white-space:normal;display:inline-block;width:max-content;max-width:160px}
.summary .line,.summary .counts{display:block}
.summary .line .counts{display:inline;margin-left:6px}
tr.family th{padding-top:22px;color:var(--soft)}
tr.family div{position:sticky;left:0;display:inline-block;max-width:min(100%,calc(100vw - 48px))}
tr.family b{color:var(--ink);font-weight:650;font-size:15px;margin-right:6px}
tbody tr.family:first-child th{padding-top:10px}
td b{font-weight:650;font-size:15px}
.figures td b{font-size:14px}
.interval,.counts,.missing{color:var(--soft)}
.counts{font-size:12.5px}
.some{color:var(--ink)}
.missing{font-style:italic}
.ratio{font-size:13px;color:var(--soft)}
.ratio.better{color:var(--better);font-weight:600}
.ratio.worse{color:var(--worse);font-weight:600}
.text{min-width:260px}
.failure{margin:16px 0 24px}
.failure p{margin-bottom:6px}
.failure p>span:last-child{color:var(--worse);margin-left:8px}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,430px),1fr));gap:28px 48px;margin:16px 0 20px;
align-items:end}
figure{margin:0;break-inside:avoid}
figcaption{font-size:14px;line-height:1.4;margin-bottom:8px}
figcaption b{font-weight:650;margin-right:4px;display:inline-block}
figcaption b::first-letter{text-transform:uppercase}
figcaption span{color:var(--soft)}
figure svg{display:block;width:100%;height:auto;max-width:520px}
details{margin:10px 0;font-size:15px}
summary{cursor:pointer;color:var(--soft)}
details[open]>summary{margin-bottom:8px}
svg text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Liberation Sans",Arial,sans-serif;
fill:var(--ink);font-variant-numeric:tabular-nums;paint-order:stroke;stroke:var(--ground);stroke-width:3px;
stroke-linejoin:round}
svg .tick{fill:var(--soft);font-size:11.5px}
svg .mid{text-anchor:middle}
svg .end{text-anchor:end}
svg .missing{fill:var(--soft);font-style:italic}
svg text.name{font-weight:600}
svg path{fill:none}
.axis{stroke:var(--soft);stroke-width:1}
.grid path.grid,svg .grid{stroke:var(--faint);stroke-width:1}
.lead{stroke:var(--faint);stroke-width:1}
.line{stroke-width:1.8;stroke-linejoin:round}
svg .line{stroke:var(--c)}
svg .whisker{stroke:var(--c);stroke-width:1.2}
svg .m{fill:var(--c);stroke:var(--ground);stroke-width:1}
svg text.name[class^=r]{fill:var(--c)}
svg .track{fill:var(--raised)}
svg .bar{fill:var(--c);opacity:.75}
.interval{stroke:none}
svg path.interval{stroke:var(--ink);stroke-width:1.2}
svg .dots{stroke:var(--c);stroke-width:3.4;stroke-linecap:round;opacity:.28}
svg .thin{stroke:var(--c);stroke-width:1.4}
svg .thick{stroke:var(--c);stroke-width:5}
svg .median{stroke:var(--ink);stroke-width:2}
svg .waiting{stroke:var(--c);stroke-width:3;opacity:.22}
svg .ticks{stroke:var(--c);stroke-width:1;opacity:.85}
.r0{--c:var(--c0)}.r1{--c:var(--c1)}.r2{--c:var(--c2)}.r3{--c:var(--c3)}
.r4{--c:var(--c4)}.r5{--c:var(--c5)}.r6{--c:var(--c6)}.r7{--c:var(--c7)}
@media (max-width:600px){main{padding:24px 16px 60px}h1{font-size:24px}h2{font-size:20px}section{margin-top:44px}
dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:8px}
.summary thead th:first-child,.summary tbody th[scope=row]{position:sticky;left:0;background:var(--ground);min-width:96px;
max-width:120px;padding-right:12px}
svg text{font-size:13.5px}svg .tick{font-size:13px}}
@media print{:root{color-scheme:light}body{font-size:11pt}main{max-width:none;padding:0}nav{display:none}
section{margin-top:28pt}h2,h3{break-after:avoid}tr{break-inside:avoid}.scroll{overflow:visible}
details::details-content{content-visibility:visible;block-size:auto}}
)css";

}  // namespace

std::string_view page_style() { return kPageStyle; }

}  // namespace sluice::bench::report

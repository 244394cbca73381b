import { createHash } from 'node:crypto';
import type { LocalAccount } from './local-accounts.ts';

// The page uses the theme that was chosen in the application, or else the dark one, so that it does not flash between two dark
// pages.
const THEME_SCRIPT = "try{document.documentElement.dataset.theme=localStorage.getItem('theme')}catch{}";

/** The Content-Security-Policy of the page must allow this script. */
export const ACCOUNT_PAGE_SCRIPT_HASH = `'sha256-${createHash('sha256').update(THEME_SCRIPT).digest('base64')}'`;

/** Renders the page for choosing a local account: plain HTML, one button per account. */
export function accountPage(accounts: readonly LocalAccount[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Choose an account – Pitboard</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${STYLE}</style>
<script>${THEME_SCRIPT}</script>
</head>
<body>
<main>
<h1>Choose an account</h1>
<p>These accounts are for local use, to try Pitboard out on this computer. They have no passwords.</p>
<form method="post">
${accounts.map(accountButton).join('\n')}
<button class="cancel" name="account" value="">Cancel</button>
</form>
</main>
</body>
</html>
`;
}

function accountButton({ id, firstName, lastName, email, isAdministrator }: LocalAccount): string {
  const mark = isAdministrator ? ' <em>Administrator</em>' : email === null ? ' <em>Demo driver</em>' : '';
  const line = email ?? 'Has laps, rivals and notices; goes when the demo is removed';
  return `<button name="account" value="${id}"><strong>${firstName} ${lastName}</strong>${mark} <span>${line}</span></button>`;
}

const STYLE = `
:root{color-scheme:dark;--canvas:#0b0d11;--surface:#13161a;--line:#6a717a;--text:#f2f4f6;--quiet:#b5bbc2;--accent:#37d2f2}
[data-theme=light]{color-scheme:light;--canvas:#f9fafc;--surface:#fff;--line:#808790;--text:#151a20;--quiet:#474e57;--accent:#006d91}
*{box-sizing:border-box}
body{margin:0;padding:1rem;background:var(--canvas);color:var(--text);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:26rem;margin:10vh auto 0}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .5rem}
p{color:var(--quiet);margin:0 0 1.5rem}
form{display:grid;gap:.5rem}
button{min-height:44px;padding:.75rem 1rem;border:1px solid var(--line);border-radius:10px;background:var(--surface);color:inherit;font:inherit;text-align:left;cursor:pointer}
button:hover{border-color:var(--accent)}
button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
em{font-style:normal;font-size:.875rem;color:var(--accent)}
span{display:block;font-size:.875rem;color:var(--quiet)}
.cancel{border-color:transparent;background:none;text-align:center}
`;

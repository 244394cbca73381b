import { type Html, html } from '#server/kernel/html.ts';

/** Renders a page that only asks: programs that follow links in mails must not unsubscribe the user. */
export function unsubscribePage(token: string): string {
  return page(
    'Unsubscribe',
    html`<p>Pitboard sends you a mail on days on which something happened to your laps.</p>
      <form method="post" action="/api/mail/unsubscribe?token=${encodeURIComponent(token)}">
        <button>Send me no more of them</button>
      </form>`,
  );
}

export function unsubscribedPage(): string {
  return page(
    'You are unsubscribed',
    html`<p>You get no more of these mails. Notices on the site stay.</p>
      <p><a href="/profile/edit">Switch Email Updates on again</a></p>`,
  );
}

export function brokenLinkPage(): string {
  return page(
    'This link is not whole',
    html`<p>
      Open the one in the mail again, or switch the mails off in <a href="/profile/edit">your profile</a>.
    </p>`,
  );
}

function page(title: string, content: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} – Pitboard</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <style>
          ${{ html: STYLE }}
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html> `.html;
}

const STYLE = `
:root{color-scheme:light;--canvas:#f9fafc;--line:#808790;--text:#151a20;--quiet:#474e57;--accent:#006d91}
@media (prefers-color-scheme:dark){:root{color-scheme:dark;--canvas:#0b0d11;--line:#6a717a;--text:#f2f4f6;--quiet:#b5bbc2;--accent:#37d2f2}}
body{margin:0;padding:1rem;background:var(--canvas);color:var(--text);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:26rem;margin:10vh auto 0}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .5rem}
p{color:var(--quiet);margin:0 0 1.5rem}
a{color:var(--accent)}
button{min-height:44px;padding:.75rem 1.25rem;border:0;border-radius:10px;background:var(--text);color:var(--canvas);font:inherit;font-weight:600;cursor:pointer}
button:focus-visible,a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`;

import { html } from '#server/kernel/html.ts';

/** Holds the content of a mail as plain text, which is escaped for HTML and for headers. */
export type Mail = {
  subject: string;
  paragraphs: readonly string[];
  items?: readonly { text: string; url: string | null }[];
  action?: { label: string; url: string };
  /** Why the reader gets this mail. */
  reason: string;
  /** The address at which the reader stops mails of this kind; only repeated mails have one. */
  unsubscribeUrl?: string;
};

export type RenderedMail = { subject: string; text: string; html: string };

/** Renders a mail as plain text and as simple HTML with the same words. */
export function renderMail(mail: Mail, siteName: string): RenderedMail {
  // A line break in a name must not begin another header.
  const subject = mail.subject.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return { subject, text: writeText(mail, siteName), html: writeHtml({ ...mail, subject }, siteName) };
}

function writeText(
  { paragraphs, items = [], action, reason, unsubscribeUrl }: Mail,
  siteName: string,
): string {
  const parts = [
    ...paragraphs,
    ...items.map(({ text, url }) => (url === null ? `- ${text}` : `- ${text}\n  ${url}`)),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    `-- \n${siteName}\n${reason}`,
    ...(unsubscribeUrl === undefined ? [] : [`Unsubscribe: ${unsubscribeUrl}`]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function writeHtml(
  { subject, paragraphs, items = [], action, reason, unsubscribeUrl }: Mail,
  siteName: string,
): string {
  const list = html`<ul>
    ${items.map(({ text, url }) => html`<li>${url === null ? text : html`<a href="${url}">${text}</a>`}</li>`)}
  </ul>`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${subject}</title>
        <style>
          ${{ html: STYLE }}
        </style>
      </head>
      <body>
        <main>
          <p class="site">${siteName}</p>
          <h1>${subject}</h1>
          ${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)} ${items.length > 0 && list}
          ${action !== undefined && html`<p><a class="action" href="${action.url}">${action.label}</a></p>`}
          <p class="foot">
            ${reason}
            ${unsubscribeUrl !== undefined && html`<br /><a href="${unsubscribeUrl}">Unsubscribe</a>`}
          </p>
        </main>
      </body>
    </html> `.html;
}

// Mail programs lack custom properties, and many ignore @media; these show the light colours.
const STYLE = `
body{margin:0;padding:24px 12px;background:#f9fafc;color:#151a20;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:560px;margin:0 auto;padding:24px;border:1px solid #dadee3;border-radius:10px;background:#fff}
.site{margin:0 0 16px;padding-bottom:12px;border-bottom:3px solid #006d91;font-weight:700}
h1{margin:0 0 12px;font-size:22px;line-height:1.25;overflow-wrap:anywhere}
p,ul{margin:0 0 16px;overflow-wrap:anywhere}
ul{padding-left:20px}
li{margin-bottom:8px}
a{color:#006d91}
a.action{display:inline-block;padding:12px 20px;border-radius:10px;background:#151a20;color:#f9fafc;font-weight:600;text-decoration:none}
.foot{margin:24px 0 0;color:#474e57;font-size:14px}
@media (prefers-color-scheme:dark){
body{background:#0b0d11;color:#f2f4f6}
main{background:#13161a;border-color:#292e34}
.site{border-color:#37d2f2}
a{color:#37d2f2}
a.action{background:#f2f4f6;color:#0b0d11}
.foot{color:#b5bbc2}
}`;

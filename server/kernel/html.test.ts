import { expect, test } from 'vitest';
import { escapeHtml, html } from './html.ts';

test('text in HTML is escaped, HTML in HTML is not, null and false write nothing', () => {
  expect(html`<p title="${'"'}">${['<b>', html`<i>${'&'}</i>`, 3, null, false]}</p>`.html).toBe(
    '<p title="&quot;">&lt;b&gt;<i>&amp;</i>3</p>',
  );
});

test('text cannot end its element or its attribute', () => {
  expect(escapeHtml('</title><script>"a" & b</script>')).toBe(
    '&lt;/title&gt;&lt;script&gt;&quot;a&quot; &amp; b&lt;/script&gt;',
  );
});

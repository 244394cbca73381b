/** The look of the API's page: the colours of the web client, in light or dark as the browser is set. */
export const API_DOCS_STYLE = `
:root {
  color-scheme: light dark;
  --canvas: light-dark(#f9fafc, #0b0d11);
  --surface: light-dark(#ffffff, #13161a);
  --sunken: light-dark(#eef0f3, #06070a);
  --line: light-dark(#dadee3, #292e34);
  --text: light-dark(#151a20, #f2f4f6);
  --text-2: light-dark(#474e57, #b5bbc2);
  --accent: light-dark(#006d91, #37d2f2);
}
* { box-sizing: border-box; }
html { scroll-padding-block: 1rem; }
body {
  margin: 0 auto;
  padding: 1.5rem clamp(1rem, 4vw, 2rem) 4rem;
  max-width: 70rem;
  background: var(--canvas);
  color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  overflow-wrap: anywhere;
}
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 0.5rem; }
h2 { font-size: 1.5rem; margin: 2.5rem 0 0.75rem; }
h3 { font-size: 1.125rem; margin: 0 0 0.5rem; font-family: ui-monospace, monospace; }
h4 { font-size: 0.875rem; margin: 1rem 0 0.25rem; color: var(--text-2); }
p { margin: 0.25rem 0 0.75rem; max-width: 45rem; }
a { color: var(--accent); }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.875rem; }
.method { color: var(--accent); }
.who, .type { color: var(--text-2); }
.type { display: block; font-size: 0.875rem; }
article {
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: 10px;
  padding: 1rem;
  margin: 0 0 1rem;
}
article:has(:target) { border-color: var(--accent); }
dl { margin: 0; }
dl > div { border-top: 1px solid var(--line); padding: 0.375rem 0; }
dt { font-weight: 600; }
dd { margin: 0; }
summary { cursor: pointer; padding: 0.375rem 0; }
nav ul { margin: 0 0 0.5rem; padding-left: 1.25rem; }
nav li { padding: 0.125rem 0; }
pre {
  background: var(--sunken);
  border-radius: 6px;
  padding: 0.75rem;
  margin: 0.25rem 0;
  white-space: pre-wrap;
}
@media (min-width: 48rem) {
  dl > div { display: grid; grid-template-columns: 18rem 1fr; gap: 1rem; }
}
`;

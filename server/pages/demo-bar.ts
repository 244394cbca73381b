import { DEMO_BAR_ID, describeDemo } from '#contract/demo-words.ts';
import type { DemoStatus } from '#contract/demo.ts';

/** A document that says, below the page and from the first moment on, that what it shows is a demo; as it is where it is none, or nobody knows. */
export function drawDemoBar(html: string, status: DemoStatus | null): string {
  const words = status && describeDemo(status);
  if (words === null) return html;
  const bar = `<aside id="${DEMO_BAR_ID}" class="demo-bar" aria-label="Demo"><p>${words}</p></aside>`;
  return html.replace('</body>', () => `${bar}</body>`);
}

import type { Plugin } from 'vite';
import { drawDemoBar } from '#server/pages/demo-bar.ts';

/** Draws the bar of a demo community into the document, as the server does where it sends the built client. */
export function devDemoBar(server: string): Plugin {
  return {
    name: 'dev-demo-bar',
    apply: 'serve',
    transformIndexHtml: async (html) => {
      const answer = await fetch(`${server}/api/demo`).catch(() => null);
      return drawDemoBar(html, answer?.ok ? await answer.json() : null);
    },
  };
}

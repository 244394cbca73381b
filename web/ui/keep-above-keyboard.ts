/**
 * Keeps `--covered` of an element at the height that a keyboard on the screen covers of the window. Browsers of phones show
 * theirs over the page, so what stands at the lower edge would lie below it. Gives what ends it.
 */
export function keepAboveKeyboard(element: HTMLElement): () => void {
  const seen = window.visualViewport;
  if (!seen) return () => undefined;
  const listening = new AbortController();
  const place = () => {
    const hiddenPx = document.documentElement.clientHeight - seen.offsetTop - seen.height;
    // Whoever has zoomed in with two fingers sees less, but nothing is covered.
    const coveredPx = seen.scale > 1.01 ? 0 : Math.max(0, hiddenPx);
    element.style.setProperty('--covered', `${coveredPx}px`);
  };
  for (const type of ['resize', 'scroll']) seen.addEventListener(type, place, { signal: listening.signal });
  place();
  return () => listening.abort();
}

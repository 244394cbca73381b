import { useSyncExternalStore } from 'react';

/** Dark is the default; the choice is remembered in the browser. */
export type Theme = 'dark' | 'light';

const STORAGE_KEY = 'theme';

/** The canvas colours of tokens.css, for the browser's own bars. */
const CANVAS: Record<Theme, string> = { dark: '#0B0D11', light: '#F9FAFC' };

const listeners = new Set<() => void>();

/** The theme on screen. A script in index.html has set it before the first paint. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme, () => 'dark');
}

/** Changes the theme and remembers it, as far as the browser lets us. */
export function changeTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', CANVAS[theme]);
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Storage may be full or forbidden; the theme then lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function currentTheme(): Theme {
  return document.documentElement.dataset['theme'] === 'light' ? 'light' : 'dark';
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

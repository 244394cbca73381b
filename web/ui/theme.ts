import { createStore } from 'zustand/vanilla';
import { useBrowserValue } from './use-browser-value.ts';

/** The theme, dark by default; the browser stores the choice. */
export type Theme = 'dark' | 'light';

const STORAGE_KEY = 'theme';

/** The canvas colours of tokens.css, for the browser's own bars. */
const CANVAS: Record<Theme, string> = { dark: '#0B0D11', light: '#F9FAFC' };

const theme = createStore<Theme>(() => 'dark');

// A script in index.html sets the attribute before the first paint.
if (typeof document !== 'undefined' && document.documentElement.dataset['theme'] === 'light') {
  theme.setState('light');
}

/** Returns the theme on the screen; the server's page is dark. */
export function useTheme(): Theme {
  return useBrowserValue(theme.getState, 'dark', theme.subscribe);
}

/** Changes the theme and remembers it, if the browser allows that. */
export function changeTheme(chosen: Theme): void {
  document.documentElement.dataset['theme'] = chosen;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', CANVAS[chosen]);
  try {
    localStorage.setItem(STORAGE_KEY, chosen);
  } catch {
    // Storage may be full or forbidden; the theme then lasts as long as the page.
  }
  theme.setState(chosen);
}

import { create } from 'zustand';

/** The theme, dark by default; the browser stores the choice. */
export type Theme = 'dark' | 'light';

const STORAGE_KEY = 'theme';

/** The canvas colours of tokens.css, for the browser's own bars. */
const CANVAS: Record<Theme, string> = { dark: '#0B0D11', light: '#F9FAFC' };

/** The theme on the screen; while a page is hydrated, the one that it was prerendered with. */
export const useTheme = create<Theme>(() => 'dark');

// A script in index.html sets the attribute before the first paint.
if (typeof document !== 'undefined' && document.documentElement.dataset['theme'] === 'light') {
  useTheme.setState('light');
}

/** Changes the theme and remembers it, if the browser allows that. */
export function changeTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', CANVAS[theme]);
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Storage may be full or forbidden; the theme then lasts as long as the page.
  }
  useTheme.setState(theme);
}

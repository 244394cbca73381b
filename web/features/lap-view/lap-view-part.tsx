import { lazy, Suspense, useState, type ComponentProps } from 'react';
import type { LapView } from './lap-view.tsx';

// A chunk of its own: most visits to a board open no lap.
let loaded: typeof LapView | undefined;

/** Loads the view of laps. */
export async function loadLapView(): Promise<typeof LapView> {
  loaded = (await import('./lap-view.tsx')).LapView;
  return loaded;
}

const LazyLapView = lazy(async () => ({ default: await loadLapView() }));

/** The view of laps, at once where it was loaded before. */
export function LapViewPart(props: ComponentProps<typeof LapView>) {
  // Decided once: the view must not be mounted again because its chunk has come in the meantime.
  const [View] = useState(() => loaded);
  if (View) return <View {...props} />;
  return (
    <Suspense fallback={<div style={{ minHeight: 1000 }} />}>
      <LazyLapView {...props} />
    </Suspense>
  );
}

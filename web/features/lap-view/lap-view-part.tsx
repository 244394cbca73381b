import { lazy, Suspense, useState, type ComponentProps } from 'react';
import type { LapView } from './lap-view.tsx';

// This component is a chunk of its own, because most visits to a board open no lap.
let loaded: typeof LapView | undefined;

/** Loads the view of laps. */
export async function loadLapView(): Promise<typeof LapView> {
  loaded = (await import('./lap-view.tsx')).LapView;
  return loaded;
}

const LazyLapView = lazy(async () => ({ default: await loadLapView() }));

/** Shows the view of laps, without a delay if it was loaded before. */
export function LapViewPart(props: ComponentProps<typeof LapView>) {
  // The choice is made once: the view must not be mounted again because its chunk has arrived in the meantime.
  const [View] = useState(() => loaded);
  if (View) return <View {...props} />;
  return (
    <Suspense fallback={<div style={{ minHeight: 1000 }} />}>
      <LazyLapView {...props} />
    </Suspense>
  );
}

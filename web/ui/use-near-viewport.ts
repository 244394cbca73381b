import { useEffect, useRef, useState } from 'react';

// The margin is about one screen, so that most content is loaded before it is visible.
const MARGIN = '1000px';

/** Returns true once an element was near the viewport, or if it is near at the start. Give `ref` to it. */
export function useNearViewport<E extends Element>(isNearAtStart = false) {
  const ref = useRef<E>(null);
  const [isNear, setIsNear] = useState(isNearAtStart);

  useEffect(() => {
    const element = ref.current;
    if (!element || isNear) return undefined;
    return observeNearViewport(element, (isNear) => isNear && setIsNear(true));
  }, [isNear]);

  return { ref, isNear };
}

/** Reports whether an element is near the viewport: once soon, then at every change. Returns what ends it. */
export function observeNearViewport(element: Element, onChange: (isNear: boolean) => void): () => void {
  listeners.set(element, onChange);
  const observer = getObserver();
  observer.observe(element);
  return () => {
    listeners.delete(element);
    observer.unobserve(element);
  };
}

const listeners = new Map<Element, (isNear: boolean) => void>();

// All elements share one observer, because a page may have hundreds.
let sharedObserver: IntersectionObserver | null = null;

function getObserver(): IntersectionObserver {
  sharedObserver ??= new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) listeners.get(target)?.(isIntersecting);
    },
    { rootMargin: MARGIN },
  );
  return sharedObserver;
}

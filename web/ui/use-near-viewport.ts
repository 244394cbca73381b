import { useEffect, useRef, useState } from 'react';

// About one screen ahead, so that most content is there before it is seen.
const MARGIN = '1000px';

/** Whether an element has come near the viewport; once it has, it stays so. Give `ref` to the element. */
export function useNearViewport<E extends Element>() {
  const ref = useRef<E>(null);
  const [isNear, setIsNear] = useState(false);

  useEffect(() => {
    const element = ref.current;
    if (!element || isNear) return undefined;
    onNear.set(element, () => setIsNear(true));
    const observer = getObserver();
    observer.observe(element);
    return () => {
      onNear.delete(element);
      observer.unobserve(element);
    };
  }, [isNear]);

  return { ref, isNear };
}

const onNear = new Map<Element, () => void>();

// One for all elements: a page may have hundreds.
let sharedObserver: IntersectionObserver | null = null;

function getObserver(): IntersectionObserver {
  sharedObserver ??= new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) onNear.get(target)?.();
    },
    { rootMargin: MARGIN },
  );
  return sharedObserver;
}

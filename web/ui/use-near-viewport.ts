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
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setIsNear(true);
      },
      { rootMargin: MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isNear]);

  return { ref, isNear };
}

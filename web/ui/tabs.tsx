import * as RadixTabs from '@radix-ui/react-tabs';
import { useEffect, useRef, type ReactNode } from 'react';
import styles from './tabs.module.css';

export type Tab = { value: string; label: ReactNode; content: ReactNode };

type TabsProps = {
  label: string;
  tabs: readonly Tab[];
  value: string;
  onChange: (value: string) => void;
};

/** Tabs, moved through with the arrow keys. Keep `value` in the URL, so that a link shows the same tab. */
export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  // On phones the list scrolls, the open tab may be the last, and a count that arrives makes it wider.
  useEffect(() => {
    const open = list.current?.querySelector('[data-state="active"]')?.getBoundingClientRect();
    const box = list.current?.getBoundingClientRect();
    if (open && box && open.right > box.right) list.current?.scrollBy({ left: open.right - box.right });
  });
  return (
    <RadixTabs.Root value={value} onValueChange={onChange}>
      <RadixTabs.List ref={list} aria-label={label} className={styles['list']}>
        {tabs.map((tab) => (
          <RadixTabs.Trigger key={tab.value} value={tab.value} className={styles['tab']}>
            {tab.label}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map((tab) => (
        <RadixTabs.Content key={tab.value} value={tab.value} className={styles['panel']}>
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}

import { Link, useLocation } from 'wouter';
import { Count } from './count.tsx';
import styles from './tabs.module.css';

type SectionLinksProps = {
  label: string;
  links: readonly { href: string; label: string; count?: number }[];
};

/** Shows the pages that belong together as a row of links, with how much waits on each; the open one is marked. */
export function SectionLinks({ label, links }: SectionLinksProps) {
  const [path] = useLocation();
  return (
    <nav aria-label={label} className={`${styles['list']} ${styles['wraps']}`}>
      {links.map(({ href, label: name, count = 0 }) => (
        <Link
          key={href}
          href={href}
          className={styles['tab']}
          aria-current={path === href ? 'page' : undefined}
          data-state={path === href ? 'active' : undefined}
        >
          {name} <Count count={count} />
        </Link>
      ))}
    </nav>
  );
}

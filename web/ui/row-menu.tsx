import Ellipsis from 'lucide-react/icons/ellipsis';
import { createContext, useContext, useId, useRef, useState, type ReactNode } from 'react';
import { IconButton } from './button.tsx';
import styles from './row-menu.module.css';

const GAP_PX = 4;

const CloseMenu = createContext(() => {});

type RowMenuProps = {
  label: string;
  /** True while an action of the menu, which is closed by then, runs. */
  pending?: boolean;
  children: ReactNode;
};

/** Shows a button that opens the actions of a row below it, or above it where there is no room. */
export function RowMenu({ label, pending = false, children }: RowMenuProps) {
  const menuId = useId();
  const menu = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);

  // The button has the focus before an action opens a dialog, which returns it there.
  function close(): void {
    menu.current?.hidePopover();
    trigger.current?.focus();
  }

  function place(): void {
    const box = trigger.current?.getBoundingClientRect();
    if (!box || !menu.current) return;
    const { offsetHeight, style } = menu.current;
    const fits = box.bottom + GAP_PX + offsetHeight <= window.innerHeight;
    style.top = `${fits ? box.bottom + GAP_PX : Math.max(GAP_PX, box.top - GAP_PX - offsetHeight)}px`;
    style.right = `${document.documentElement.clientWidth - box.right}px`;
  }

  return (
    <>
      <IconButton
        ref={trigger}
        label={label}
        icon={<Ellipsis size={20} aria-hidden="true" />}
        pending={pending}
        popoverTarget={menuId}
        aria-expanded={isOpen}
      />
      <div
        ref={menu}
        id={menuId}
        popover="auto"
        className={styles['menu']}
        onToggle={(event) => {
          setIsOpen(event.newState === 'open');
          if (event.newState === 'open') place();
        }}
      >
        <CloseMenu value={close}>{children}</CloseMenu>
      </div>
    </>
  );
}

type RowActionProps = { isDestructive?: boolean; onClick: () => void; children: ReactNode };

/** Shows one action of a row in its menu. */
export function RowAction({ isDestructive = false, onClick, children }: RowActionProps) {
  const close = useContext(CloseMenu);
  return (
    <button
      type="button"
      className={styles['item']}
      data-destructive={isDestructive || undefined}
      onClick={() => {
        close();
        onClick();
      }}
    >
      {children}
    </button>
  );
}

import X from 'lucide-react/icons/x';
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './dialog.module.css';
import { keepAboveKeyboard, openModal } from './modals.ts';

type DialogProps = {
  /** Is called for Escape and the close button. */
  onClose: () => void;
  /** Lets a click outside the dialog close it, too. Only where nothing that was typed or is running can be lost. */
  closesOutside?: boolean;
  title: string;
  /** `form` is 480 pixels wide. */
  width?: 'form';
  /** Buttons that stay in view below the content. */
  footer?: ReactNode;
  children: ReactNode;
};

/**
 * Shows a modal dialog; on phones a sheet from below. It is open as long as it is rendered. The browser keeps the focus
 * inside and returns it afterwards. The first element with `autoFocus` gets the focus, else the first one.
 */
export function Dialog({ onClose, closesOutside = false, title, width, footer, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  // The dialog closes before the element is removed from the page: afterwards the browser would not return the focus.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (!dialog) return undefined;
    const close = openModal(dialog);
    const letGo = keepAboveKeyboard(dialog);
    return () => {
      letGo();
      close();
    };
  }, []);

  return (
    <dialog
      ref={element}
      className={classNames(styles['dialog'], width && styles[width])}
      aria-labelledby={titleId}
      {...{ closedby: closesOutside ? 'any' : 'closerequest' }}
      // The event also comes after the dialog has gone, which closes it.
      onClose={() => element.current && onClose()}
    >
      <div className={styles['header']}>
        <h2 id={titleId} className={styles['title']}>
          {title}
        </h2>
        <IconButton label="Close" icon={<X size={20} />} onClick={onClose} />
      </div>
      <div className={styles['body']}>{children}</div>
      {footer && <div className={styles['footer']}>{footer}</div>}
    </dialog>
  );
}

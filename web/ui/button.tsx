import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Link } from 'wouter';
import styles from './button.module.css';
import { classNames } from './class-names.ts';

/** `primary` is the main action of a screen; `quiet` has no edge; `destructive` cannot be undone. */
export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'destructive';

type ButtonStyle = {
  variant?: ButtonVariant | undefined;
  size?: 'small' | 'medium' | 'large' | undefined;
  /** True if the button is as wide as its container. */
  wide?: boolean | undefined;
};

type ButtonProps = ButtonStyle &
  ButtonHTMLAttributes<HTMLButtonElement> & {
    /** True while an action runs: the button reports that to assistive technology and ignores further clicks. */
    pending?: boolean;
    ref?: Ref<HTMLButtonElement>;
  };

/** Shows a button, by default of type `button`. */
export function Button({ variant, size, wide, pending = false, className, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={pending || undefined}
      aria-disabled={pending || rest['aria-disabled']}
      className={classNames(buttonClassName({ variant, size, wide }), className)}
      onClick={(event) => {
        if (pending) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}

type IconButtonProps = Omit<ButtonProps, 'children' | 'aria-label'> & { label: string; icon: ReactNode };

/** Shows a square button with an icon only; its label is read out and shown as a tooltip. */
export function IconButton({ label, icon, className, variant = 'quiet', ...rest }: IconButtonProps) {
  return (
    <Button
      {...rest}
      variant={variant}
      aria-label={label}
      title={label}
      className={classNames(styles['icon'], className)}
    >
      {icon}
    </Button>
  );
}

type ButtonLinkProps = ButtonStyle & {
  href: string;
  className?: string | undefined;
  children: ReactNode;
  onClick?: () => void;
  'aria-label'?: string;
};

export function ButtonLink({ variant, size, wide, className, ...rest }: ButtonLinkProps) {
  return <Link {...rest} className={classNames(buttonClassName({ variant, size, wide }), className)} />;
}

/** Returns the class names of a button, for a link that leaves the application. */
export function buttonClassName({
  variant = 'secondary',
  size = 'medium',
  wide = false,
}: ButtonStyle): string {
  return classNames(
    styles['button'],
    styles[variant],
    size !== 'medium' && styles[size],
    wide && styles['wide'],
  );
}

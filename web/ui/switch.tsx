import { useId, type InputHTMLAttributes, type Ref } from 'react';
import styles from './switch.module.css';

type SwitchProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'className'> & {
  label: string;
  hint?: string;
  /** True if the label is for screen readers only; a table must then show the same in its headings. */
  hideLabel?: boolean;
  ref?: Ref<HTMLInputElement>;
};

export function Switch({ label, hint, hideLabel = false, ...input }: SwitchProps) {
  const hintId = useId();
  const control = (
    <input
      {...input}
      type="checkbox"
      // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a check box keeps aria-checked by itself
      role="switch"
      aria-label={label}
      aria-describedby={hint ? hintId : undefined}
      className={styles['input']}
    />
  );
  if (hideLabel) return control;
  return (
    <label className={styles['row']}>
      <span className={styles['label']}>
        {label}
        {hint && (
          <span id={hintId} className={styles['hint']}>
            {hint}
          </span>
        )}
      </span>
      {control}
    </label>
  );
}

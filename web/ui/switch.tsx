import { useId, type InputHTMLAttributes, type Ref } from 'react';
import styles from './switch.module.css';

type SwitchProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'className'> & {
  label: string;
  hint?: string;
  ref?: Ref<HTMLInputElement>;
};

export function Switch({ label, hint, ...input }: SwitchProps) {
  const hintId = useId();
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
      <input
        {...input}
        type="checkbox"
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a check box keeps aria-checked by itself
        role="switch"
        aria-label={label}
        aria-describedby={hint ? hintId : undefined}
        className={styles['input']}
      />
    </label>
  );
}

import ChevronDown from 'lucide-react/icons/chevron-down';
import {
  useEffect,
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react';
import { classNames } from './class-names.ts';
import common from './common.module.css';
import { showFirstProblem } from './form.tsx';
import styles from './field.module.css';

type FieldProps = {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** True for a small label, for rows of many fields. */
  compact?: boolean;
  /** True if the label is for screen readers only; a visible element must then have the same text. */
  hideLabel?: boolean;
  className?: string | undefined;
};

type TextFieldProps = FieldProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'className'> & { ref?: Ref<HTMLInputElement> };

/** Shows a labelled input of one line. It takes every `type` for text: text, email, url, search. */
export function TextField({ label, hint, error, compact, hideLabel, className, ...input }: TextFieldProps) {
  return (
    <Field {...{ label, hint, error, compact, hideLabel, className }} id={input.id}>
      {(described) => <input type="text" {...input} {...described} className={styles['control']} />}
    </Field>
  );
}

type TextAreaFieldProps = FieldProps &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className'> & { ref?: Ref<HTMLTextAreaElement> };

/** Shows a labelled input of several lines. */
export function TextAreaField(props: TextAreaFieldProps) {
  const { label, hint, error, compact, hideLabel, className, ...area } = props;
  return (
    <Field {...{ label, hint, error, compact, hideLabel, className }} id={area.id}>
      {(described) => (
        <textarea
          rows={4}
          {...area}
          {...described}
          className={classNames(styles['control'], styles['area'])}
        />
      )}
    </Field>
  );
}

type SelectFieldProps = FieldProps &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className'> & {
    /** True for a dark border, which marks a chosen filter. */
    isSet?: boolean;
    ref?: Ref<HTMLSelectElement>;
  };

/** Shows a labelled select; its children are `option` elements. */
export function SelectField(props: SelectFieldProps) {
  const { label, hint, error, compact, hideLabel, className, isSet, ...select } = props;
  return (
    <Field {...{ label, hint, error, compact, hideLabel, className }} id={select.id}>
      {(described) => (
        <span className={styles['select']}>
          <select
            {...select}
            {...described}
            className={classNames(styles['control'], isSet && styles['isSet'])}
          />
          <ChevronDown size={16} aria-hidden="true" />
        </span>
      )}
    </Field>
  );
}

type Described = {
  id: string;
  'aria-invalid'?: true;
  'aria-describedby'?: string;
};

type AnyFieldProps = { [Name in keyof FieldProps]: FieldProps[Name] | undefined } & {
  label: string;
  id: string | undefined;
  children: (described: Described) => ReactNode;
};

function Field({ label, hint, error, compact, hideLabel, className, id, children }: AnyFieldProps) {
  const ownId = useId();
  const controlId = id ?? ownId;
  const hintId = `${controlId}-hint`;
  const errorId = `${controlId}-error`;
  const describedBy = classNames(Boolean(hint) && hintId, Boolean(error) && errorId);
  useEffect(() => {
    if (error) showProblem(controlId);
  }, [error, controlId]);
  return (
    <div className={classNames(styles['field'], compact && styles['compact'], className)}>
      <label htmlFor={controlId} className={hideLabel ? 'visually-hidden' : styles['label']}>
        {label}
      </label>
      {children({
        id: controlId,
        ...(error && { 'aria-invalid': true }),
        ...(describedBy && { 'aria-describedby': describedBy }),
      })}
      {hint && (
        <p id={hintId} className={styles['hint']}>
          {hint}
        </p>
      )}
      {error && (
        <p id={errorId} className={common['failure']}>
          {error}
        </p>
      )}
    </div>
  );
}

/** Shows a problem that comes after the submission, unless somebody is typing in the form again. */
function showProblem(controlId: string): void {
  const control = document.getElementById(controlId);
  const form = control?.closest('form');
  const isTyping = document.activeElement?.matches('input, select, textarea') ?? false;
  if (form && !isTyping) showFirstProblem(form);
}

import { EMAIL_CHARACTERS_MAX } from '#contract/sign-in/labels.ts';
import { TextField } from '#web/ui/field.tsx';
import styles from './sign-in.module.css';

/** Shows the fields for the name of a new user. */
export function NameFields({ fields }: { fields: Readonly<Record<string, string>> }) {
  return (
    <div className={styles['names']}>
      <TextField
        label="First name"
        name="firstName"
        autoComplete="given-name"
        required
        error={fields['firstName']}
      />
      <TextField
        label="Last name"
        name="lastName"
        autoComplete="family-name"
        required
        error={fields['lastName']}
      />
    </div>
  );
}

type EmailFieldProps = {
  /** The address of a person who cannot choose another one. */
  email?: string | null;
  error: string | undefined;
};

/** Shows the field for the address that a new user signs in with. */
export function EmailField({ email = null, error }: EmailFieldProps) {
  return (
    <TextField
      label="Email"
      type="email"
      name="email"
      autoComplete="username"
      maxLength={EMAIL_CHARACTERS_MAX}
      hint="You sign in with it. Other drivers do not see it."
      required
      readOnly={email !== null}
      defaultValue={email ?? ''}
      error={error}
    />
  );
}

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

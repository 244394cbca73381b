import { useState } from 'react';
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from '#contract/sign-in/labels.ts';
import { TextField } from './field.tsx';
import { Switch } from './switch.tsx';

type NewPasswordFieldProps = { label: string; name: string; error: string | undefined };

/** Shows the field of a new password, which can be made visible, so that it need not be typed twice. */
export function NewPasswordField({ label, name, error }: NewPasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <>
      <TextField
        label={label}
        type={isShown ? 'text' : 'password'}
        name={name}
        autoComplete="new-password"
        hint={`At least ${PASSWORD_CHARACTERS_MIN} characters. Four words are easy to remember and hard to guess.`}
        maxLength={PASSWORD_CHARACTERS_MAX}
        required
        error={error}
      />
      <Switch
        label="Show password"
        checked={isShown}
        onChange={(event) => setIsShown(event.currentTarget.checked)}
      />
    </>
  );
}

import type { ComponentProps, ReactNode } from 'react';
import { Button } from './button.tsx';

type FormFooterProps = {
  formId: string;
  isBusy: boolean;
  onCancel: () => void;
  variant?: ComponentProps<typeof Button>['variant'];
  children: ReactNode;
};

/** Shows the buttons of a dialog that is a form: one leaves it, the other sends it. */
export function FormFooter({ formId, isBusy, onCancel, variant = 'primary', children }: FormFooterProps) {
  return (
    <>
      <Button onClick={onCancel}>Cancel</Button>
      <Button type="submit" form={formId} variant={variant} pending={isBusy}>
        {children}
      </Button>
    </>
  );
}

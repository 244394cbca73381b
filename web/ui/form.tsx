import type { FormHTMLAttributes, Ref, SyntheticEvent } from 'react';

type FormProps = Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit' | 'noValidate'> & {
  onSubmit: (event: SyntheticEvent<HTMLFormElement>) => unknown;
  ref?: Ref<HTMLFormElement>;
};

/** Shows a form whose problems come from the caller and not from the browser. After a submission the first problem is in view. */
export function Form({ onSubmit, ...form }: FormProps) {
  return (
    <form
      {...form}
      noValidate
      onSubmit={(event) => {
        const element = event.currentTarget;
        onSubmit(event);
        // The problems are on the page before the next frame.
        requestAnimationFrame(() => showFirstProblem(element));
      }}
    />
  );
}

/** Moves the focus to the first invalid field of a form, or shows the sentence that says why the form was not accepted. */
export function showFirstProblem(form: HTMLFormElement): void {
  const field = form.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (field) {
    field.focus();
    // The sentence below the field may still be out of view.
    const described = field.getAttribute('aria-describedby')?.split(' ') ?? [];
    for (const id of described) document.getElementById(id)?.scrollIntoView({ block: 'nearest' });
  } else form.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
}

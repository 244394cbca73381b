import { Button } from '#web/ui/button.tsx';
import { useCall } from '#web/ui/use-call.ts';

/** Takes the focus of the button that is gone. */
const focus = (element: HTMLElement | null): void => element?.focus();

/** Sends a file that could not be read to the owners of the site, if its driver wants that. */
export function SendRefusedFile({ file }: { file: File }) {
  const { run, isBusy, result } = useCall('POST /api/refused-files', {
    success: {
      title: 'File Sent',
      description:
        'Only owners of this site can download it. It is deleted after 90 days, or with your account.',
    },
    failure: 'File Not Sent',
  });
  if (result)
    return (
      <p ref={focus} tabIndex={-1}>
        Sent to the club’s owner.
      </p>
    );
  return (
    <Button
      size="small"
      pending={isBusy}
      aria-label={`Send ${file.name} to the club’s owner`}
      onClick={() => {
        const form = new FormData();
        form.append('file', file);
        void run({ form });
      }}
    >
      Send to the club’s owner
    </Button>
  );
}

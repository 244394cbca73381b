import Plus from 'lucide-react/icons/plus';
import { lazy, Suspense, useState } from 'react';
import { Button } from '#web/ui/button.tsx';

const NewEventDialog = lazy(async () => ({
  default: (await import('./new-event-dialog.tsx')).NewEventDialog,
}));

/** Opens the form of a new event. */
export function NewEvent() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="primary" onClick={() => setIsOpen(true)}>
        <Plus size={18} aria-hidden="true" />
        New event
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <NewEventDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

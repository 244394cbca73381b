import { useLocation } from 'wouter';
import { eventHref } from '#web/ui/page-hrefs.ts';
import { useCall } from '#web/ui/use-call.ts';
import { EventForm } from './event-form.tsx';

/** Creates an event as a draft, and opens it. */
export function NewEventDialog({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const { run, refuse, isBusy, fields, problem } = useCall('POST /api/events', {
    onDone: ({ id }) => navigate(eventHref(id)),
    leavesPage: true,
  });
  return (
    <EventForm
      title="New Event"
      action="Create Draft"
      {...{ isBusy, fields, problem, onClose }}
      onRefuse={(problems) => refuse(null, problems)}
      onSend={(body) => void run({ body })}
    />
  );
}

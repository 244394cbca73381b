import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { apiQuery } from '#web/api/api-query.ts';
import { useCalls } from '#web/ui/use-call.ts';
import type { EntryDialogProps } from './entry-dialog.tsx';
import { readEntryForm, type TypedEntry } from './read-entry-form.ts';

export const garageQuery = apiQuery('GET /api/user-cars');

/** Reads the form of an entry and sends it: a new one of the viewer or of somebody else, or a change. */
export function useEntering({ view, entry, isForOther = false, onClose }: EntryDialogProps) {
  const queryClient = useQueryClient();
  const { eventId } = view;
  const { run, refuse, ...state } = useCalls(
    async (send, form: TypedEntry) => {
      const { driver, ...body } = form;
      if (entry) {
        await send('PATCH /api/events/:eventId/entries/:entryId', {
          params: { eventId, entryId: entry.id },
          body,
        });
        return;
      }
      const who = isForOther ? await findDriver(queryClient, driver) : {};
      await send('POST /api/events/:eventId/entries', { params: { eventId }, body: { ...body, ...who } });
    },
    { onDone: onClose },
  );

  function enter(form: HTMLFormElement): void {
    const { typed, problems } = readEntryForm(form, {
      classes: view.classes,
      cars: queryClient.getQueryData(garageQuery.queryKey) ?? [],
      entry,
      needsDriver: isForOther && !entry,
    });
    if (typed === null || Object.keys(problems).length > 0) refuse(null, problems);
    else void run(typed);
  }

  return { ...state, enter };
}

/** Distinguishes a typed @username, which is an account, from a name. */
async function findDriver(queryClient: QueryClient, typed: string) {
  if (!typed.startsWith('@')) return { driverName: typed };
  const params = { idOrName: typed.slice(1) };
  const { id } = await queryClient.fetchQuery(apiQuery('GET /api/users/:idOrName', { params }));
  return { userId: id };
}

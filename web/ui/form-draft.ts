import { create } from 'zustand';
import { UnloadGuard } from './use-unsaved-changes-guard.ts';

/**
 * Creates the hook of a form whose changes stay while other pages are shown, until they are saved or given up. The browser asks
 * before it closes a tab with changes.
 */
export function createFormDraft<Fields extends object>() {
  const useChanges = create<Partial<Fields>>(() => ({}));
  const guard = new UnloadGuard();
  useChanges.subscribe((changes) => guard.set(Object.keys(changes).length > 0));

  return function useFormDraft(saved: Fields) {
    const fields = { ...saved, ...useChanges() };
    const change = (changed: Partial<Fields>) =>
      useChanges.setState(pickChanges({ ...fields, ...changed }, saved), true);
    return { fields, change, clear: () => useChanges.setState({}, true) };
  };
}

function pickChanges<Fields extends object>(fields: Fields, saved: Fields): Partial<Fields> {
  const changes: Partial<Fields> = {};
  for (const name in fields) {
    if (JSON.stringify(fields[name]) !== JSON.stringify(saved[name])) changes[name] = fields[name];
  }
  return changes;
}

import { useCombobox, type UseComboboxState, type UseComboboxStateChangeOptions } from 'downshift';
import Search from 'lucide-react/icons/search';
import { useEffect, useId, useRef, useState, type HTMLAttributes, type ReactNode } from 'react';
import styles from './combobox.module.css';

type ComboboxProps<Item> = {
  label: string;
  placeholder: string;
  /** The text in the field; the parent keeps it. */
  inputValue: string;
  onInputChange: (value: string) => void;
  /** The suggestions for the text, best first. */
  items: readonly Item[];
  itemKey: (item: Item) => string;
  itemText: (item: Item) => string;
  renderItem: (item: Item) => ReactNode;
  /** Returns the URL of a suggestion that is a link. */
  itemHref?: (item: Item) => string;
  onSelect: (item: Item) => void;
  /** True if Enter without a highlighted suggestion takes the first one. */
  selectsFirstOnEnter?: boolean;
  /** The text that is shown and read out without suggestions; if it is absent, no list opens then. */
  emptyMessage?: string | undefined;
};

/** The list stays open this long after the field has lost the focus, so that a slow click still hits its suggestion. */
const CLOSE_AFTER_BLUR_MS = 200;

/**
 * Shows a search field with suggestions: arrows and Enter choose, Escape closes, a second Escape clears. The list is
 * open while the field has the focus. The component loads downshift, so load it lazily.
 */
export function Combobox<Item extends object>(props: ComboboxProps<Item>) {
  const { label, placeholder, items, inputValue, emptyMessage, onInputChange, onSelect } = props;
  const { combobox, isOpen, inputEvents } = useSuggestions(props);
  const showsEmptyMessage = items.length === 0 && Boolean(emptyMessage);

  return (
    <div className={styles['combobox']}>
      <label {...combobox.getLabelProps()} className="visually-hidden">
        {label}
      </label>
      <div className={styles['box']}>
        <Search size={18} aria-hidden="true" />
        <input
          {...combobox.getInputProps({
            ...inputEvents,
            onKeyDown: ({ key, nativeEvent }) => {
              const [first] = items;
              const takesFirst = props.selectsFirstOnEnter && combobox.highlightedIndex === -1;
              if (key === 'Enter' && !nativeEvent.isComposing && takesFirst && first) onSelect(first);
            },
            onChange: (event) => onInputChange(event.currentTarget.value),
          })}
          className={styles['input']}
          type="search"
          placeholder={placeholder}
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </div>
      <Suggestions {...props} combobox={combobox} showsEmptyMessage={showsEmptyMessage} />
      <output className="visually-hidden">
        {isOpen && statusText(items.length, inputValue, emptyMessage)}
      </output>
    </div>
  );
}

/** Keeps the list open while the field has the focus, and reports what is chosen. */
function useSuggestions<Item extends object>(props: ComboboxProps<Item>) {
  const { items, inputValue, itemText, onInputChange, onSelect } = props;
  const [isOpen, setIsOpen] = useState(false);
  const blurTimer = useBlurTimer(() => setIsOpen(false));
  const inputId = useId();
  const combobox = useCombobox<Item>({
    // A suggestion is followed, not kept, so that the same one can be chosen again.
    selectedItem: null,
    inputId,
    items: [...items],
    inputValue,
    isOpen,
    itemToString: (item) => (item ? itemText(item) : ''),
    stateReducer: keepOnBlur,
    onIsOpenChange: (change) => setIsOpen(change.isOpen),
    onSelectedItemChange: ({ selectedItem }) => {
      if (selectedItem) onSelect(selectedItem);
    },
    onInputValueChange: ({ type, inputValue: value }) => {
      // The field itself reports typing, at once: a controlled field that lags would move the text cursor.
      if (type !== useCombobox.stateChangeTypes.InputChange) onInputChange(value);
    },
  });
  const open = () => {
    blurTimer.stop();
    setIsOpen(true);
  };
  return { combobox, isOpen, inputEvents: { onFocus: open, onBlur: blurTimer.start } };
}

type SuggestionsProps<Item extends object> = ComboboxProps<Item> & {
  combobox: ReturnType<typeof useCombobox<Item>>;
  showsEmptyMessage: boolean;
};

function Suggestions<Item extends object>(props: SuggestionsProps<Item>) {
  const { combobox, items, itemKey, itemHref, renderItem, emptyMessage, showsEmptyMessage } = props;
  return (
    <>
      <div
        {...combobox.getMenuProps()}
        className={styles['list']}
        hidden={!combobox.isOpen || items.length === 0}
      >
        {combobox.isOpen &&
          items.map((item, index) => (
            <Option key={itemKey(item)} href={itemHref?.(item)} {...combobox.getItemProps({ item, index })}>
              {renderItem(item)}
            </Option>
          ))}
      </div>
      {combobox.isOpen && showsEmptyMessage && (
        <div className={styles['list']}>
          <p className={styles['empty']}>{emptyMessage}</p>
        </div>
      )}
    </>
  );
}

function Option({ href, ...option }: HTMLAttributes<HTMLElement> & { href: string | undefined }) {
  if (href === undefined) return <div {...option} className={styles['option']} />;
  return (
    <a
      {...option}
      href={href}
      tabIndex={-1}
      className={styles['option']}
      onClick={(event) => {
        // The browser opens the link in another tab or window if a modifier key is held.
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        option.onClick?.(event);
      }}
    >
      {option.children}
    </a>
  );
}

function keepOnBlur<Item extends object>(
  state: UseComboboxState<Item>,
  { type, changes }: UseComboboxStateChangeOptions<Item>,
): Partial<UseComboboxState<Item>> {
  return type === useCombobox.stateChangeTypes.InputBlur ? state : changes;
}

function statusText(count: number, inputValue: string, emptyMessage: string | undefined): string {
  if (inputValue.trim() === '') return '';
  if (count === 0) return emptyMessage ?? 'No suggestions';
  return count === 1 ? '1 suggestion' : `${count} suggestions`;
}

function useBlurTimer(onBlurred: () => void): { start: () => void; stop: () => void } {
  const timer = useRef<number>(undefined);
  const stop = () => window.clearTimeout(timer.current);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return {
    stop,
    start: () => {
      stop();
      timer.current = window.setTimeout(onBlurred, CLOSE_AFTER_BLUR_MS);
    },
  };
}

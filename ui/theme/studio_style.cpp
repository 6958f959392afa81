// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/studio_style.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTabBar>
#include <QToolButton>

#include "ui/theme/style_paint.h"
#include "ui/theme/theme.h"

namespace disco::ui {
namespace {

bool has_problem(const QWidget* widget) { return widget != nullptr && widget->property("problem").toBool(); }

/// A spin box or editable combo box draws the frame; the line edit inside it must not draw a second one.
bool inside_field(const QWidget* widget) {
  return widget != nullptr && (qobject_cast<const QAbstractSpinBox*>(widget->parentWidget()) != nullptr ||
                               qobject_cast<const QComboBox*>(widget->parentWidget()) != nullptr);
}

constexpr int arrow_width = 24;
constexpr int spin_width = 88;

}  // namespace

StudioStyle::StudioStyle(const Theme& theme)
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))), theme_(theme) {}

void StudioStyle::polish(QWidget* widget) {
  QProxyStyle::polish(widget);
  if (qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget) || qobject_cast<QSlider*>(widget) ||
      qobject_cast<QTabBar*>(widget) || qobject_cast<QScrollBar*>(widget) || qobject_cast<QAbstractSpinBox*>(widget))
    widget->setAttribute(Qt::WA_Hover);
  // With a sheet on the application, Qt measures spin boxes itself and never asks sizeFromContents().
  if (qobject_cast<QAbstractSpinBox*>(widget)) widget->setMinimumSize(theme_.px(spin_width), theme_.px(sizes::control));
  // A frameless scroll area is part of what it lies on, card or page; Qt would paint the window's colour into it.
  if (auto* area = qobject_cast<QScrollArea*>(widget); area && area->frameShape() == QFrame::NoFrame) {
    area->viewport()->setAutoFillBackground(false);
    if (area->widget()) area->widget()->setAutoFillBackground(false);
  }
  if (auto* tabs = qobject_cast<QTabBar*>(widget)) {
    tabs->setExpanding(false);
    tabs->setDrawBase(false);
  }
}

void StudioStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const {
  const StylePaint paint(theme_, *painter);
  switch (element) {
    case PE_PanelLineEdit:
      if (inside_field(widget)) return;
      if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option); frame && frame->lineWidth > 0)
        paint.field(option->rect, option->state, has_problem(widget));
      return;
    case PE_FrameLineEdit:
      return;
    case PE_PanelButtonCommand:
    case PE_PanelButtonTool:
      paint.button(option->rect, option->state, button_look(widget));
      return;
    case PE_FrameDefaultButton:
      return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
      paint.check_box(option->rect, option->state);
      return;
    case PE_IndicatorRadioButton:
      paint.radio(option->rect, option->state);
      return;
    case PE_FrameFocusRect:
      // Push buttons, tabs and fields draw their own ring; cells of views are told by the select colour.
      if (qobject_cast<const QAbstractItemView*>(widget) == nullptr && qobject_cast<const QTabBar*>(widget) == nullptr)
        paint.focus_ring(option->rect, sizes::radius, theme_.colour(Token::link));
      return;
    case PE_PanelItemViewRow:
    case PE_PanelItemViewItem:
      if (const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option)) paint.row(*item);
      return;
    case PE_Frame:
      if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option); frame && frame->lineWidth > 0) {
        paint.panel(option->rect, Qt::transparent);
        if (option->state.testFlag(State_HasFocus))
          paint.focus_ring(option->rect, sizes::radius, theme_.colour(Token::link));
      }
      return;
    case PE_PanelTipLabel:
    case PE_PanelMenu:
      painter->fillRect(option->rect, theme_.colour(Token::raised));
      painter->setPen(theme_.colour(Token::border));
      painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
      return;
    case PE_FrameMenu:
    case PE_FrameTabBarBase:
    case PE_FrameTabWidget:
    case PE_FrameStatusBarItem:
      return;
    case PE_IndicatorArrowDown:
    case PE_IndicatorArrowUp:
    case PE_IndicatorHeaderArrow: {
      const auto* head = qstyleoption_cast<const QStyleOptionHeader*>(option);
      const bool up = element == PE_IndicatorArrowUp || (head && head->sortIndicator == QStyleOptionHeader::SortUp);
      paint.chevron(option->rect, up ? -1 : 1, option->state.testFlag(State_Enabled));
      return;
    }
    default:
      QProxyStyle::drawPrimitive(element, option, painter, widget);
  }
}

void StudioStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const {
  const StylePaint paint(theme_, *painter);
  switch (element) {
    case CE_PushButton:
      // Fusion would add a focus rectangle inside the ring that the bevel already draws.
      if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
        QStyleOptionButton copy = *button;
        // A "⋯" opens a menu by what it is; there is no room for a chevron beside it.
        if (copy.text.size() <= 1) copy.features &= ~QStyleOptionButton::HasMenu;
        drawControl(CE_PushButtonBevel, &copy, painter, widget);
        drawControl(CE_PushButtonLabel, &copy, painter, widget);
      }
      return;
    case CE_PushButtonLabel:
    case CE_ToolButtonLabel: {
      const QColor ink = paint.button_ink(button_look(widget), option->state.testFlag(State_Enabled));
      if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
        QStyleOptionButton copy = *button;
        copy.palette.setColor(QPalette::ButtonText, ink);
        copy.features &= ~QStyleOptionButton::HasMenu;
        if (button->features.testFlag(QStyleOptionButton::HasMenu)) copy.rect.adjust(0, 0, -14, 0);
        QProxyStyle::drawControl(element, &copy, painter, widget);
      } else if (const auto* tool = qstyleoption_cast<const QStyleOptionToolButton*>(option)) {
        QStyleOptionToolButton copy = *tool;
        copy.palette.setColor(QPalette::ButtonText, ink);
        QProxyStyle::drawControl(element, &copy, painter, widget);
      }
      return;
    }
    case CE_TabBarTabShape:
      if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) paint.tab(*tab);
      return;
    case CE_TabBarTabLabel:
      if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) {
        QStyleOptionTab copy = *tab;
        const bool selected = tab->state.testFlag(State_Selected);
        copy.palette.setColor(QPalette::WindowText, theme_.colour(selected ? Token::text : Token::text2));
        copy.state &= ~State_HasFocus;
        if (selected) {
          QFont font = painter->font();
          font.setWeight(QFont::DemiBold);
          painter->setFont(font);
        }
        QProxyStyle::drawControl(element, &copy, painter, widget);
      }
      return;
    case CE_HeaderSection:
      if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) paint.header(*header);
      return;
    case CE_HeaderLabel:
      if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
        QStyleOptionHeader copy = *header;
        copy.palette.setColor(QPalette::ButtonText, theme_.colour(Token::text2));
        QProxyStyle::drawControl(element, &copy, painter, widget);
      }
      return;
    case CE_HeaderEmptyArea:
      painter->fillRect(option->rect, theme_.colour(Token::sunken));
      painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                        theme_.colour(Token::border));
      return;
    case CE_MenuBarEmptyArea:
      painter->fillRect(option->rect, theme_.colour(Token::rail));
      return;
    case CE_MenuBarItem:
      if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
        const bool active = item->state.testFlag(State_Selected) || item->state.testFlag(State_Sunken);
        painter->fillRect(item->rect, theme_.colour(active ? Token::select : Token::rail));
        drawItemText(painter, item->rect,
                     Qt::AlignCenter | Qt::TextShowMnemonic | Qt::TextDontClip | Qt::TextSingleLine, item->palette,
                     item->state.testFlag(State_Enabled), item->text, QPalette::WindowText);
      }
      return;
    case CE_MenuItem:
      if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
          item && item->menuItemType == QStyleOptionMenuItem::Separator && item->text.isEmpty()) {
        painter->fillRect(
            QRect(item->rect.left() + sizes::gap2, item->rect.center().y(), item->rect.width() - 2 * sizes::gap2, 1),
            theme_.colour(Token::border));
        return;
      }
      QProxyStyle::drawControl(element, option, painter, widget);
      return;
    case CE_Splitter:
      return;
    case CE_ScrollBarAddLine:
    case CE_ScrollBarSubLine:
      return;
    default:
      QProxyStyle::drawControl(element, option, painter, widget);
  }
}

void StudioStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                     const QWidget* widget) const {
  const StylePaint paint(theme_, *painter);
  const bool enabled = option->state.testFlag(State_Enabled);
  switch (control) {
    case CC_ComboBox:
      paint.field(option->rect, option->state, has_problem(widget));
      paint.chevron(QRectF(subControlRect(control, option, SC_ComboBoxArrow, widget)), 1, enabled);
      return;
    case CC_SpinBox: {
      paint.field(option->rect, option->state, has_problem(widget));
      const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
      if (spin && spin->buttonSymbols == QAbstractSpinBox::NoButtons) return;
      const bool up = spin && spin->stepEnabled.testFlag(QAbstractSpinBox::StepUpEnabled);
      const bool down = spin && spin->stepEnabled.testFlag(QAbstractSpinBox::StepDownEnabled);
      paint.chevron(QRectF(subControlRect(control, option, SC_SpinBoxUp, widget)), -1, enabled && up);
      paint.chevron(QRectF(subControlRect(control, option, SC_SpinBoxDown, widget)), 1, enabled && down);
      return;
    }
    case CC_Slider:
      if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option))
        paint.slider(subControlRect(control, option, SC_SliderGroove, widget),
                     subControlRect(control, option, SC_SliderHandle, widget), *slider);
      return;
    case CC_ScrollBar:
      if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option))
        paint.scroll_bar(option->rect, subControlRect(control, option, SC_ScrollBarSlider, widget), *bar);
      return;
    case CC_ToolButton:
      if (const auto* tool = qstyleoption_cast<const QStyleOptionToolButton*>(option)) {
        const bool plain = button_look(widget) == ButtonLook::plain && tool->state.testFlag(State_AutoRaise);
        paint.button(tool->rect, tool->state, plain ? ButtonLook::flat : button_look(widget));
        QStyleOptionToolButton copy = *tool;
        copy.features &= ~(QStyleOptionToolButton::HasMenu | QStyleOptionToolButton::MenuButtonPopup);
        copy.state &= ~State_HasFocus;
        const bool menu =
            tool->features.testFlag(QStyleOptionToolButton::HasMenu) && tool->toolButtonStyle != Qt::ToolButtonIconOnly;
        if (menu) copy.rect.adjust(0, 0, -16, 0);
        drawControl(CE_ToolButtonLabel, &copy, painter, widget);
        if (menu) paint.chevron(QRectF(tool->rect.right() - 20, tool->rect.top(), 16, tool->rect.height()), 1, enabled);
      }
      return;
    default:
      QProxyStyle::drawComplexControl(control, option, painter, widget);
  }
}

QRect StudioStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                                  const QWidget* widget) const {
  const QRect rect = option->rect;
  const bool mirrored = option->direction == Qt::RightToLeft;
  const auto placed = [&](const QRect& ltr) { return mirrored ? visualRect(option->direction, rect, ltr) : ltr; };
  if (control == CC_ComboBox) {
    if (part == SC_ComboBoxArrow)
      return placed(QRect(rect.right() - arrow_width, rect.top(), arrow_width, rect.height()));
    if (part == SC_ComboBoxEditField) return placed(rect.adjusted(8, 2, -arrow_width - 2, -2));
  }
  if (control == CC_SpinBox) {
    const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
    const bool buttons = spin == nullptr || spin->buttonSymbols != QAbstractSpinBox::NoButtons;
    const int half = rect.height() / 2;
    const int left = rect.right() - arrow_width;
    if (part == SC_SpinBoxUp && buttons) return placed(QRect(left, rect.top() + 2, arrow_width, half - 2));
    if (part == SC_SpinBoxDown && buttons) return placed(QRect(left, rect.top() + half, arrow_width, half - 2));
    if (part == SC_SpinBoxEditField) return placed(rect.adjusted(6, 2, buttons ? -arrow_width : -6, -2));
  }
  if (control == CC_ScrollBar) {
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (bar != nullptr) {
      const bool lying = bar->orientation == Qt::Horizontal;
      const int length = lying ? rect.width() : rect.height();
      const qint64 range = static_cast<qint64>(bar->maximum) - bar->minimum;
      const int grip =
          range > 0
              ? std::clamp(static_cast<int>(static_cast<qint64>(length) * bar->pageStep / (range + bar->pageStep)),
                           std::min(32, length), length)
              : length;
      const int start =
          sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - grip, bar->upsideDown);
      switch (part) {
        case SC_ScrollBarAddLine:
        case SC_ScrollBarSubLine:
          return {};
        case SC_ScrollBarGroove:
          return rect;
        case SC_ScrollBarSlider:
          return lying ? QRect(rect.left() + start, rect.top(), grip, rect.height())
                       : QRect(rect.left(), rect.top() + start, rect.width(), grip);
        case SC_ScrollBarSubPage:
          return lying ? QRect(rect.left(), rect.top(), start, rect.height())
                       : QRect(rect.left(), rect.top(), rect.width(), start);
        case SC_ScrollBarAddPage:
          return lying ? QRect(rect.left() + start + grip, rect.top(), length - start - grip, rect.height())
                       : QRect(rect.left(), rect.top() + start + grip, rect.width(), length - start - grip);
        default:
          break;
      }
    }
  }
  return QProxyStyle::subControlRect(control, option, part, widget);
}

QRect StudioStyle::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const {
  if (element == SE_LineEditContents && !inside_field(widget)) return option->rect.adjusted(8, 2, -8, -2);
  if (element == SE_LineEditContents) return option->rect.adjusted(2, 0, -2, 0);
  return QProxyStyle::subElementRect(element, option, widget);
}

QSize StudioStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                    const QWidget* widget) const {
  QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
  const int height = theme_.px(sizes::control);
  switch (type) {
    case CT_PushButton: {
      const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
      const bool only_icon = button && button->text.size() <= 1;
      const bool menu = button && button->features.testFlag(QStyleOptionButton::HasMenu);
      result = QSize(only_icon ? height : size.width() + 28 + (menu ? 12 : 0), height);
      break;
    }
    case CT_LineEdit:
      if (!inside_field(widget)) result.setHeight(height);
      break;
    case CT_SpinBox:
      result = QSize(result.width() + 12, height);
      break;
    case CT_ComboBox:
      result = QSize(size.width() + arrow_width + 18, height);
      break;
    case CT_ToolButton: {
      const auto* tool = qstyleoption_cast<const QStyleOptionToolButton*>(option);
      if (tool == nullptr || tool->toolButtonStyle == Qt::ToolButtonTextUnderIcon) break;
      const bool only_icon = tool->toolButtonStyle == Qt::ToolButtonIconOnly || tool->text.isEmpty();
      const bool menu = tool->features.testFlag(QStyleOptionToolButton::HasMenu) && !only_icon;
      result = only_icon ? QSize(height, height) : QSize(size.width() + 16 + (menu ? 16 : 0), height);
      break;
    }
    case CT_TabBarTab:
      result = QSize(size.width() + 8, theme_.px(sizes::page_head) - 2);
      break;
    case CT_HeaderSection:
      result.setHeight(theme_.px(32));
      break;
    case CT_MenuItem:
      if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option))
        result.setHeight(item->menuItemType == QStyleOptionMenuItem::Separator
                             ? sizes::gap2 + 1
                             : std::max(result.height(), theme_.px(sizes::row_compact)));
      break;
    case CT_MenuBarItem:
      result += QSize(4, 4);
      break;
    default:
      break;
  }
  return result;
}

int StudioStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  switch (metric) {
    case PM_DefaultFrameWidth:
      // Fusion's combo and spin boxes ask for it too; 1 px is the edge of cards, fields and popups.
      return 1;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
      return theme_.px(16);
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing:
      return 8;
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
    case PM_TabBarIconSize:
      return theme_.px(sizes::icon);
    case PM_ScrollBarExtent:
      return 12;
    case PM_ScrollBarSliderMin:
      return 32;
    case PM_SliderThickness:
    case PM_SliderControlThickness:
    case PM_SliderLength:
      return 18;
    case PM_TabBarTabHSpace:
      return 24;
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarTabOverlap:
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
      return 0;
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
      return sizes::gap2;
    case PM_LayoutLeftMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutBottomMargin:
      return widget != nullptr && widget->isWindow() ? sizes::gap4 : 0;
    case PM_HeaderMargin:
      return sizes::gap2;
    case PM_FocusFrameHMargin:
      return 7;  // of the text in a cell
    case PM_SplitterWidth:
      return sizes::gap2;
    case PM_MenuPanelWidth:
      return 1;
    case PM_MenuVMargin:
      return sizes::gap1;
    case PM_ToolTipLabelFrameWidth:
      return 6;
    default:
      return QProxyStyle::pixelMetric(metric, option, widget);
  }
}

int StudioStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                           QStyleHintReturn* data) const {
  switch (hint) {
    case SH_Widget_Animation_Duration:
      return theme_.motion(motions::panel);
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_ComboBox_Popup:
      return 0;
    case SH_Table_GridLineColor:
      return static_cast<int>(theme_.colour(Token::border).rgba());
    case SH_TabBar_Alignment:
      return Qt::AlignLeft;
    case SH_Slider_AbsoluteSetButtons:
      return Qt::LeftButton;
    case SH_MessageBox_CenterButtons:
      return 0;
    default:
      return QProxyStyle::styleHint(hint, option, widget, data);
  }
}

}  // namespace disco::ui
